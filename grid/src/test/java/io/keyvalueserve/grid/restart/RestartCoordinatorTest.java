package io.keyvalueserve.grid.restart;

import static io.keyvalueserve.grid.restart.Claims.A;
import static io.keyvalueserve.grid.restart.Claims.B;
import static io.keyvalueserve.grid.restart.Claims.C;
import static io.keyvalueserve.grid.restart.Claims.CLUSTER;
import static io.keyvalueserve.grid.restart.Claims.address;
import static io.keyvalueserve.grid.restart.Claims.claim;
import static io.keyvalueserve.grid.restart.Claims.forgetting;
import static io.keyvalueserve.grid.restart.Claims.table;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.partition.PartitionTableView;
import io.keyvalueserve.grid.restart.Claims.Row;
import io.keyvalueserve.grid.restart.RestartAnswer.Begin;
import io.keyvalueserve.grid.restart.RestartAnswer.Check;
import io.keyvalueserve.grid.restart.RestartAnswer.Refused;
import io.keyvalueserve.grid.restart.RestartAnswer.Wait;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** With which members, and which partitions where, a cluster begins. */
final class RestartCoordinatorTest {
  private static final long PATIENCE = 1_000;

  /** The id of A after a merge. */
  private static final UUID A2 = new UUID(2, 1);

  private long now;

  private static RestartCoordinator coordinator(RestartPolicy policy) {
    return new RestartCoordinator(policy, PATIENCE, 1);
  }

  private RestartAnswer after(RestartCoordinator coordinator, RestartClaim... claims) {
    for (RestartClaim claim : claims) {
      RestartAnswer _ = coordinator.claim(claim);
    }
    coordinator.decide(Arrays.stream(claims).map(RestartClaim::member).toList(), now);
    return coordinator.claim(claims[0]);
  }

  private static PartitionTableView begun(RestartAnswer answer) {
    return Objects.requireNonNull(((Begin) answer).table());
  }

  /** Who is in a row, a dash for nobody. */
  private static List<String> row(RestartAnswer answer, int partition) {
    return Arrays.stream(begun(answer).getReplicas(partition))
        .limit(3)
        .map(replica -> replica == null ? "-" : name(replica.uuid()))
        .toList();
  }

  private static String name(UUID member) {
    return Character.toString((char) ('A' - 1 + member.getLeastSignificantBits()));
  }

  @Test
  void membersWithoutDataBeginANewCluster() {
    RestartAnswer answer = after(coordinator(RestartPolicy.FULL), claim(A, null), claim(B, null));
    assertThat(answer).isInstanceOfSatisfying(Begin.class, b -> assertThat(b.table()).isNull());
  }

  @Test
  void allThatHeldDataGoOnAsTheyWereAtTheAddressesTheyHaveNow() {
    KeptTable table = table(new Row(4, A, B), new Row(4, B, A));
    RestartAnswer answer = after(coordinator(RestartPolicy.FULL), claim(A, table), claim(B, table));
    assertThat(row(answer, 0)).startsWith("A", "B");
    assertThat(row(answer, 1)).startsWith("B", "A");
    assertThat(begun(answer).getReplica(0, 0).address()).isEqualTo(address(A, 6800));
    assertThat(((Begin) answer).history()).isEqualTo(CLUSTER);
  }

  /** After a merge, rows of both members name A by another id, and B's file is the newer one. */
  @Test
  void aMemberIsItselfUnderAnIdThatItHadAfterAMerge() {
    KeptTable rows = table(new Row(4, B, A2), new Row(4, A2), new Row(5, A2, B));
    KeptTable stale = table(new Row(2, A2, B), new Row(3, B), new Row(5, A2, B));
    RestartClaim a = claim(A, stale).alsoKnownAs(Set.of(A2));
    assertThat(a.isNamedFor(0, 0)).isTrue();
    RestartAnswer answer = after(coordinator(RestartPolicy.COMPLETE), a, claim(B, rows));
    assertThat(row(answer, 0)).startsWith("B", "A");
    assertThat(row(answer, 1)).startsWith("A", "-");
    assertThat(row(answer, 2)).startsWith("A", "B");
    assertThat(begun(answer).getReplica(1, 0).address()).isEqualTo(address(A, 6800));
  }

  /** The member is back, whichever of its ids was forgotten. */
  @Test
  void aMemberThatIsHereIsNotForgottenUnderAnotherId() {
    KeptTable rows = table(new Row(4, A2));
    RestartClaim a = claim(A, rows).alsoKnownAs(Set.of(A2));
    RestartAnswer answer =
        after(coordinator(RestartPolicy.COMPLETE), a, forgetting(claim(B, rows), A2));
    assertThat(row(answer, 0)).startsWith("A", "-");
  }

  /** A gives way, and all members end before it has the table of the other side. */
  @Test
  void whatGivesWayToAnotherSideCountsForLess() {
    KeptTable given = table(new Row(9, A), new Row(9, A, B)).givenUp(Set.of(A));
    RestartCoordinator both = coordinator(RestartPolicy.COMPLETE);
    RestartAnswer answer =
        after(both, claim(A, given), claim(B, table(new Row(3, B), new Row(3, B))));
    assertThat(row(answer, 0)).containsExactly("B", "-", "-");
    assertThat(row(answer, 1)).containsExactly("B", "-", "-");

    RestartCoordinator alone = coordinator(RestartPolicy.COMPLETE);
    assertThat(after(alone, claim(A, given))).isInstanceOf(Wait.class);
    now = 2 * PATIENCE;
    RestartAnswer _ = after(alone, claim(A, given));
    assertThat(after(alone, claim(A, given))).isInstanceOf(Refused.class);
  }

  @Test
  void theNewestRowOfAnyMemberHoldsAndWhatOthersHaveIsGivenUp() {
    KeptTable old = table(new Row(2, A, B), new Row(9, A, C));
    KeptTable fresh = table(new Row(3, B), new Row(8, B));
    RestartAnswer answer =
        after(coordinator(RestartPolicy.FULL), claim(A, old), claim(B, fresh), claim(C, old));
    assertThat(row(answer, 0)).containsExactly("B", "-", "-");
    assertThat(row(answer, 1)).containsExactly("A", "C", "-");
  }

  @Test
  void whoeverHasDataIsWaitedForUntilTheyAreLoaded() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.PARTIAL);
    KeptTable table = table(new Row(1, A, B));
    RestartClaim b = claim(B, table);
    RestartClaim loading =
        new RestartClaim(
            b.attempt(),
            B,
            b.address(),
            b.history(),
            b.table(),
            LogState.UNREAD,
            false,
            Set.of(),
            Forgotten.NONE);
    now = 10 * PATIENCE;
    assertThat(after(coordinator, claim(A, table), loading)).isInstanceOf(Wait.class);
    assertThat(after(coordinator, claim(A, table), b)).isInstanceOf(Begin.class);
  }

  /** Their keys are loaded, but a sealed chunk may have damage that was not looked for. */
  @Test
  void ifOneLogIsDamagedTheOthersAreReadWholeBeforeACopyIsGivenUp() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.COMPLETE);
    KeptTable table = table(new Row(3, A, B), new Row(3, B, A));
    RestartClaim a = claim(A, table).whenRead(LogState.DAMAGED);
    RestartClaim b = claim(B, table);
    assertThat(after(coordinator, a, b, witness(table))).isInstanceOf(Wait.class);
    assertThat(coordinator.claim(b)).isInstanceOf(Check.class);
    assertThat(coordinator.claim(witness(table))).isInstanceOf(Wait.class);
    RestartAnswer whole = after(coordinator, a, b.whenRead(LogState.CHECKED), witness(table));
    assertThat(row(whole, 0)).containsExactly("B", "-", "-");
    RestartCoordinator another = coordinator(RestartPolicy.COMPLETE);
    RestartAnswer damaged = after(another, a, b.whenRead(LogState.DAMAGED), witness(table));
    assertThat(row(damaged, 0)).as("one heals the other").containsExactly("A", "B", "-");
    assertThat(row(damaged, 1)).containsExactly("B", "A", "-");
  }

  /** C has only the maps with two backups. */
  @Test
  void whoDoesNotHaveAllMapsIsPreferredToNobodyWhoHas() {
    KeptTable table = table(new Row(3, A, B, C), new Row(3, A, C, B));
    RestartAnswer answer =
        after(
            coordinator(RestartPolicy.COMPLETE),
            claim(A, table).whenRead(LogState.DAMAGED),
            claim(B, table).whenRead(LogState.DAMAGED),
            claim(C, table).whenRead(LogState.CHECKED));
    assertThat(row(answer, 0)).containsExactly("A", "B", "C");
    assertThat(row(answer, 1)).containsExactly("C", "-", "B");
  }

  @Test
  void whoHasJoinedAndSaidNothingIsWaitedFor() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.PARTIAL);
    RestartAnswer _ = coordinator.claim(claim(A, null));
    coordinator.decide(Set.of(A, B), 0);
    assertThat(coordinator.claim(claim(A, null))).isInstanceOf(Wait.class);
  }

  @Test
  void aMemberThatIsMissingIsWaitedForWithPatience() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.COMPLETE);
    KeptTable table = table(new Row(1, A, B), new Row(1, B, A));
    assertThat(after(coordinator, claim(A, table)))
        .isInstanceOfSatisfying(Wait.class, wait -> assertThat(wait.why()).contains(":5802"));
    now = PATIENCE - 1;
    assertThat(after(coordinator, claim(A, table))).isInstanceOf(Wait.class);
    now = PATIENCE;
    RestartAnswer answer = after(coordinator, claim(A, table));
    assertThat(row(answer, 0)).containsExactly("A", "-", "-");
    assertThat(row(answer, 1)).containsExactly("A", "-", "-");
  }

  /** What only C had begins with B's older copy, or, if there is none, empty. */
  @Test
  void aForgottenMemberIsNotWaitedFor() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.FULL);
    KeptTable table = table(new Row(3, C), new Row(3, C), new Row(3, A, C));
    KeptTable older = table(new Row(2, B, C), new Row(3, C), new Row(2, A, C));
    RestartAnswer answer =
        after(coordinator, forgetting(claim(A, table), C), forgetting(claim(B, older), C));
    assertThat(row(answer, 0)).containsExactly("B", "-", "-");
    assertThat(row(answer, 1).getFirst()).isIn("A", "B");
    assertThat(row(answer, 2)).containsExactly("A", "-", "-");
  }

  @Test
  void aForgottenMemberThatIsHereCounts() {
    KeptTable table = table(new Row(3, C), new Row(2, A, C));
    RestartAnswer answer =
        after(coordinator(RestartPolicy.FULL), forgetting(claim(A, table), C), claim(C, table));
    assertThat(row(answer, 0)).containsExactly("C", "-", "-");
  }

  @Test
  void aLaterBackupKeepsItsPlaceAsItDoesNotHaveAllThatAnEarlierOneHas() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.COMPLETE);
    KeptTable table = table(new Row(1, A, B, C), new Row(1, B, A, C));
    RestartAnswer _ = after(coordinator, claim(B, table), claim(C, table));
    now = PATIENCE;
    RestartAnswer answer = after(coordinator, claim(B, table), claim(C, table));
    assertThat(row(answer, 0)).containsExactly("B", "-", "C");
    assertThat(row(answer, 1)).containsExactly("B", "-", "C");
  }

  @Test
  void aRowOfWhoCameIntoAPartitionWithoutItsDataDoesNotCount() {
    KeptTable before = table(new Row(2, A, B, C), new Row(2, A, B, C));
    KeptTable alone = table(new Row(3, B, null, C), new Row(3, B, null, C));
    KeptTable last =
        new KeptTable(
            table(new Row(5, C), new Row(4, null, null, C)).table(),
            Map.of(0, 4),
            Map.of(),
            Set.of());
    RestartAnswer answer =
        after(coordinator(RestartPolicy.FULL), claim(A, before), claim(B, alone), claim(C, last));
    assertThat(row(answer, 0)).containsExactly("B", "-", "C");
    assertThat(row(answer, 1)).containsExactly("B", "-", "C");
    RestartAnswer without = after(coordinator(RestartPolicy.COMPLETE), claim(C, last));
    assertThat(without).isInstanceOf(Wait.class);
  }

  /** A took over from C, which served alone after B had gone; nobody else kept C's row. */
  @Test
  void theRowBeforeALossTellsWhoServedLast() {
    KeptTable first = table(new Row(2, B, C));
    KeptTable last =
        new KeptTable(
            table(new Row(5, A)).table(),
            Map.of(0, 5),
            Map.of(0, table(new Row(3, C)).table().getPartition(0)),
            Set.of());
    RestartCoordinator without = coordinator(RestartPolicy.COMPLETE);
    assertThat(after(without, claim(A, last), claim(B, first))).isInstanceOf(Wait.class);
    now = PATIENCE;
    assertThat(after(without, claim(A, last), claim(B, first))).isInstanceOf(Refused.class);
    RestartAnswer answer =
        after(
            coordinator(RestartPolicy.COMPLETE), claim(A, last), claim(B, first), claim(C, first));
    assertThat(row(answer, 0)).containsExactly("C", "-", "-");
  }

  @Test
  void whoStoppedServingForAStartDoesNotWaitForOthersThatWereDown() {
    KeptTable table = table(new Row(2, A, C), new Row(2, B, C));
    RestartClaim hurries = claim(B, table).togetherWith(Set.of(A));
    RestartCoordinator complete = coordinator(RestartPolicy.COMPLETE);
    assertThat(after(complete, claim(C, table), hurries)).isInstanceOf(Wait.class);
    assertThat(after(complete, claim(A, table), hurries)).isInstanceOf(Begin.class);
    RestartCoordinator full = coordinator(RestartPolicy.FULL);
    assertThat(after(full, claim(A, table), hurries)).isInstanceOf(Wait.class);
    KeptTable lacks = table(new Row(2, A, C), new Row(3, C));
    RestartCoordinator lacking = coordinator(RestartPolicy.COMPLETE);
    assertThat(after(lacking, claim(A, lacks), claim(B, lacks).togetherWith(Set.of(A))))
        .isInstanceOf(Wait.class);
  }

  /** The master knows it before the new owner does. */
  @Test
  void aRowOfWhomTheMasterGaveALostPartitionDoesNotCount() {
    KeptTable holder = table(new Row(2, B), new Row(2, B));
    KeptTable owner = table(new Row(4, C), new Row(5, C));
    KeptTable master =
        new KeptTable(
            table(new Row(4, C), new Row(4, A)).table(), Map.of(0, 4, 1, 4), Map.of(), Set.of());
    RestartAnswer answer =
        after(coordinator(RestartPolicy.FULL), claim(A, master), claim(B, holder), claim(C, owner));
    assertThat(row(answer, 0)).containsExactly("B", "-", "-");
    assertThat(row(answer, 1)).as("what was lost was another's").containsExactly("C", "-", "-");
  }

  /** A file is written now and then, and may have the loss before the row. */
  @Test
  void aLossThatItsOwnerKeptBeforeTheRowCounts() {
    KeptTable holder = table(new Row(2, B));
    KeptTable early =
        new KeptTable(table(new Row(3, (UUID) null)).table(), Map.of(0, 4), Map.of(), Set.of());
    KeptTable other = table(new Row(4, A));
    RestartAnswer answer =
        after(coordinator(RestartPolicy.FULL), claim(A, early), claim(B, holder), claim(C, other));
    assertThat(row(answer, 0)).containsExactly("B", "-", "-");
  }

  @Test
  void aBackupThatMayBeBehindIsNoCopyUnlessThereIsNone() {
    PartitionTableView rows = table(new Row(1, A, B, C), new Row(1, A, B, C)).table();
    KeptTable b = new KeptTable(rows, Map.of(), Map.of(), Set.of(0, 1));
    KeptTable c = new KeptTable(rows, Map.of(), Map.of(), Set.of(1));
    for (RestartPolicy policy : List.of(RestartPolicy.COMPLETE, RestartPolicy.PARTIAL)) {
      now = 0;
      RestartCoordinator coordinator = new RestartCoordinator(policy, PATIENCE, 2);
      RestartAnswer _ = after(coordinator, claim(B, b), claim(C, c));
      now = PATIENCE;
      RestartAnswer answer = after(coordinator, claim(B, b), claim(C, c));
      if (policy == RestartPolicy.PARTIAL) {
        assertThat(row(answer, 0)).containsExactly("C", "B", "-");
        assertThat(row(answer, 1)).containsExactly("B", "-", "C");
      } else {
        assertThat(answer)
            .isInstanceOfSatisfying(
                Refused.class, refused -> assertThat(refused.why()).contains("1 partitions have"));
      }
    }
    RestartAnswer all =
        after(
            coordinator(RestartPolicy.FULL),
            claim(A, KeptTable.of(rows)),
            claim(B, b),
            claim(C, c));
    assertThat(row(all, 0)).containsExactly("A", "B", "C");
  }

  @Test
  void withoutACopyOfSomethingNobodyStartsUnlessTold() {
    KeptTable table = table(new Row(1, A, B, C), new Row(1, B, A, C));
    for (RestartPolicy policy : RestartPolicy.values()) {
      now = 0;
      RestartCoordinator coordinator = coordinator(policy);
      RestartAnswer _ = after(coordinator, claim(C, table));
      now = PATIENCE;
      RestartAnswer answer = after(coordinator, claim(C, table));
      if (policy == RestartPolicy.PARTIAL) {
        assertThat(row(answer, 0)).containsExactly("C", "-", "-");
      } else {
        assertThat(answer)
            .isInstanceOfSatisfying(
                Refused.class,
                refused ->
                    assertThat(refused.why())
                        .contains("127.0.0.1:5801, 127.0.0.1:5802")
                        .contains("2 partitions have no whole copy")
                        .contains("--restart-policy partial"));
      }
    }
  }

  @Test
  void aFullRestartDoesNotGoOnWithoutAMemberEvenIfNothingIsLost() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.FULL);
    KeptTable table = table(new Row(1, A, B));
    RestartAnswer _ = after(coordinator, claim(A, table));
    now = PATIENCE;
    assertThat(after(coordinator, claim(A, table)))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.why()).contains("--restart-policy complete"));
  }

  @Test
  void whoIsWhereAMissingMemberWasHasComeInItsPlace() throws UnknownHostException {
    RestartCoordinator coordinator = coordinator(RestartPolicy.COMPLETE);
    KeptTable table = table(new Row(1, A, B), new Row(1, B, A));
    RestartClaim stranger =
        new RestartClaim(
            new UUID(0, 0),
            new UUID(9, 9),
            address(B, 5800),
            null,
            null,
            LogState.LOADED,
            false,
            Set.of(),
            Forgotten.NONE);
    RestartAnswer answer = after(coordinator, claim(A, table), stranger);
    assertThat(row(answer, 1)).containsExactly("A", "-", "-");
  }

  @Test
  void dataOfAnotherClusterAreRefused() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.COMPLETE);
    KeptTable table = table(new Row(1, A, B));
    RestartAnswer _ = after(coordinator, claim(A, table), claim(B, table));
    RestartCoordinator other = coordinator(RestartPolicy.COMPLETE);
    RestartAnswer _ = other.claim(claim(A, table));
    RestartAnswer _ = other.claim(claim(B, table));
    RestartClaim foreign =
        new RestartClaim(
            new UUID(0, 1),
            C,
            address(C, 5800),
            new UUID(8, 8),
            table(new Row(1, C)),
            LogState.LOADED,
            false,
            Set.of(),
            Forgotten.NONE);
    assertThat(other.claim(foreign))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.why()).contains("another cluster"));
  }

  private static RestartClaim witness(@Nullable KeptTable table) {
    UUID history = table == null ? null : CLUSTER;
    return new RestartClaim(
        new UUID(5, 99),
        new UUID(5, 5),
        address(C, 7800),
        history,
        table,
        LogState.LOADED,
        true,
        Set.of(),
        Forgotten.NONE);
  }

  @Test
  void aWitnessAloneDecidesNothing() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.PARTIAL);
    KeptTable table = table(new Row(2, A, B));
    assertThat(after(coordinator, witness(table))).isInstanceOf(Wait.class);
    now = 10 * PATIENCE;
    assertThat(after(coordinator, witness(table))).isInstanceOf(Wait.class);
    assertThat(after(coordinator, witness(null))).isInstanceOf(Wait.class);
    assertThat(after(coordinator, witness(null), claim(A, null)))
        .isInstanceOfSatisfying(Begin.class, begin -> assertThat(begin.table()).isNull());
  }

  @Test
  void theRowsOfAWitnessTellWhoHasTheNewest() {
    KeptTable old = table(new Row(2, A, B));
    KeptTable fresh = table(new Row(3, B));
    RestartCoordinator coordinator = coordinator(RestartPolicy.COMPLETE);
    assertThat(after(coordinator, claim(A, old), witness(fresh))).isInstanceOf(Wait.class);
    now = PATIENCE;
    assertThat(after(coordinator, claim(A, old), witness(fresh)))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.why()).contains("1 partitions have no whole copy here"));
    RestartCoordinator together = coordinator(RestartPolicy.FULL);
    RestartAnswer answer = after(together, claim(A, old), claim(B, fresh), witness(fresh));
    assertThat(row(answer, 0)).containsExactly("B", "-", "-");
  }

  /** Its disk was replaced, and the other that had data is down. */
  @Test
  void aMemberWithoutDataDoesNotBeginAnewWhereAWitnessKnowsOfData() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.COMPLETE);
    KeptTable table = table(new Row(3, A, B));
    assertThat(after(coordinator, claim(C, null), witness(table))).isInstanceOf(Wait.class);
    now = PATIENCE;
    assertThat(after(coordinator, claim(C, null), witness(table))).isInstanceOf(Refused.class);
  }

  @Test
  void ofTwoClustersTheMembersWithDataAreRight() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.COMPLETE);
    KeptTable table = table(new Row(3, A));
    RestartClaim foreign =
        new RestartClaim(
            new UUID(5, 99),
            new UUID(0, 5),
            address(C, 7800),
            new UUID(8, 8),
            table,
            LogState.LOADED,
            true,
            Set.of(),
            Forgotten.NONE);
    RestartAnswer _ = coordinator.claim(foreign);
    assertThat(coordinator.claim(claim(A, table))).isNotInstanceOf(Refused.class);
    assertThat(coordinator.claim(foreign)).isInstanceOf(Refused.class);
  }

  @Test
  void aWitnessKeepsWhoHadWhatIsLost() {
    KeptTable before = table(new Row(3, B), new Row(3, B), new Row(3, B));
    KeptTable now = table(new Row(5, A), new Row(4, A, B), new Row(4));
    KeptTable lost = new KeptTable(now.table(), Map.of(0, 5), Map.of(), Set.of());
    assertThat(lost.withRowsBeforeLoss(null)).isEqualTo(lost);
    KeptTable kept = lost.withRowsBeforeLoss(before);
    assertThat(kept.table().getPartition(0).version()).isEqualTo(3);
    assertThat(kept.table().getPartition(1).version()).isEqualTo(4);
    assertThat(kept.table().getReplica(2, 0)).as("nobody has it now").isNotNull();
    assertThat(kept.lostSince()).containsEntry(0, 5);
  }

  @Test
  void aDecisionHoldsForThoseItWasMadeForAndForNoLaterAttempt() {
    RestartCoordinator coordinator = coordinator(RestartPolicy.FULL);
    KeptTable table = table(new Row(1, A, B));
    RestartAnswer made = after(coordinator, claim(A, table), claim(B, table));
    assertThat(coordinator.claim(claim(B, table))).isSameAs(made);
    RestartClaim again =
        new RestartClaim(
            UUID.randomUUID(),
            B,
            address(B, 6800),
            CLUSTER,
            table,
            LogState.LOADED,
            false,
            Set.of(),
            Forgotten.NONE);
    assertThat(coordinator.hasDecided(again.attempt())).isFalse();
    RestartCoordinator another = coordinator(RestartPolicy.FULL);
    another.learn((Begin) made, coordinator.attempts());
    assertThat(another.claim(claim(B, table))).isSameAs(made);
  }
}
