package io.keyvalueserve.gates.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Goal: what members tell each other keeps each tenant within its quota on all of them. */
class TenantHoldingsTest {
  private static final Map<String, Integer> NO_LOCKS = Map.of();

  private final Cluster cluster = new Cluster(3);

  /** Members that hear each other when told to. */
  private static final class Cluster {
    final List<Admissions> members = new ArrayList<>();
    final List<HoldingsBook> books = new ArrayList<>();
    final List<UUID> ids = new ArrayList<>();
    final Map<Integer, Integer> connections = new HashMap<>();
    long revision;

    Cluster(int size) {
      for (int i = 0; i < size; i++) {
        Admissions admissions = new Admissions(() -> 0);
        UUID id = UUID.randomUUID();
        members.add(admissions);
        ids.add(id);
        books.add(new HoldingsBook(id, admissions));
      }
    }

    void quota(Quota quota) {
      revision++;
      for (Admissions member : members) {
        member.apply(
            new Tenant(
                new TenantName("acme"),
                1,
                TenantState.ACTIVE,
                Instant.EPOCH,
                List.of(),
                quota,
                revision));
      }
    }

    TenantHoldings usage(int member) {
      return members.get(member).usage("acme");
    }

    @SafeVarargs
    final void talk(int copies, Map<String, Integer>... locks) {
      List<UsageReport> said = new ArrayList<>();
      books.forEach(HoldingsBook::beginCounting);
      for (int i = 0; i < books.size(); i++) {
        int open = connections.getOrDefault(i, 0);
        said.add(books.get(i).report(tenant -> open, i < locks.length ? locks[i] : NO_LOCKS));
      }
      for (int i = 0; i < books.size(); i++) {
        said.forEach(books.get(i)::take);
        books.get(i).settle(ids, copies, i < locks.length ? locks[i] : NO_LOCKS);
      }
    }
  }

  @Test
  void whatIsKeptInOtherStructuresCountsToTheMemory() {
    cluster.quota(Quota.USUAL.with(Limit.MEMORY, 1_000L));
    TenantHoldings usage = cluster.usage(0);
    usage.add(600, 1);
    assertThat(usage.mayWrite(1)).isTrue();
    assertThat(usage.refusalOfElement(1)).isNull();
    keep(Map.of("acme", 400L));
    assertThat(usage.allBytesHere()).isEqualTo(1_000);
    assertThat(usage.mayWrite(1)).as("to a map").isFalse();
    assertThat(usage.refusalOfElement(1)).contains("1000 bytes of memory are used up");
    keep(Map.of("acme", 399L));
    assertThat(usage.mayWrite(1)).isTrue();
    usage.add(1, 0);
    assertThat(usage.refusalOfElement(1)).contains("1000 bytes of memory are used up");
  }

  private void keep(Map<String, Long> bytes) {
    cluster.members.getFirst().heap().settle(bytes, cluster.ids, 2);
  }

  @Test
  void withoutAQuotaEverythingMayBeWritten() {
    cluster.quota(Quota.USUAL);
    cluster.usage(0).add(1L << 40, 1 << 30);
    assertThat(cluster.usage(0).mayWrite(Integer.MAX_VALUE)).isTrue();
    assertThat(cluster.usage(0).refusal(Integer.MAX_VALUE)).isNull();
  }

  @Test
  void aMemberThatIsAloneIsExact() {
    Cluster alone = new Cluster(1);
    alone.quota(Quota.USUAL.with(Limit.ENTRIES, 10L));
    for (int i = 0; i < 10; i++) {
      assertThat(alone.usage(0).mayWrite(1)).isTrue();
      alone.usage(0).add(100, 1);
    }
    assertThat(alone.usage(0).mayWrite(1)).isFalse();
    assertThat(alone.usage(0).refusal(1))
        .isEqualTo(
            "the tenant's 10 entries are used up, nothing was changed; remove entries or have the"
                + " quota raised");
    alone.usage(0).add(-100, -1);
    assertThat(alone.usage(0).mayWrite(1)).isTrue();
  }

  @Test
  void whatOthersHaveCountsAndEachEntryOnce() {
    cluster.quota(Quota.USUAL.with(Limit.MEMORY, 3000L));
    for (int i = 0; i < 3; i++) {
      cluster.usage(i).add(1900, 19); // with a backup of each
    }
    assertThat(cluster.usage(1).mayWrite(1)).as("as long as it has heard nothing").isTrue();
    cluster.talk(2);
    assertThat(cluster.usage(1).mayWrite(1)).as("5700 / 2").isTrue();
    cluster.usage(0).add(400, 4);
    cluster.talk(2);
    for (int i = 0; i < 3; i++) {
      assertThat(cluster.usage(i).mayWrite(1)).isFalse();
      assertThat(cluster.usage(i).refusal(1)).contains("3000 bytes of memory");
    }
  }

  @Test
  void betweenReportsOthersAreTakenToGrowAlike() {
    cluster.quota(Quota.USUAL.with(Limit.ENTRIES, 300L));
    cluster.talk(1);
    cluster.usage(2).add(0, 99);
    assertThat(cluster.usage(2).mayWrite(1)).isTrue();
    cluster.usage(2).add(0, 1);
    assertThat(cluster.usage(2).mayWrite(1)).isFalse();
    cluster.talk(1); // the others have nothing: the guess was wrong
    assertThat(cluster.usage(2).mayWrite(1)).isTrue();
  }

  @Test
  void aMemberThatIsGoneCountsNoMore() {
    cluster.quota(Quota.USUAL.with(Limit.ENTRIES, 10L));
    cluster.usage(2).add(0, 10);
    cluster.talk(1);
    assertThat(cluster.usage(0).mayWrite(1)).isFalse();
    cluster.books.get(0).settle(cluster.ids.subList(0, 2), 1, NO_LOCKS);
    assertThat(cluster.usage(0).mayWrite(1)).isTrue();
  }

  @Test
  void aValueThatIsTooLargeIsRefusedWhateverElseThereIs() {
    cluster.quota(Quota.USUAL.with(Limit.VALUE, 100L));
    assertThat(cluster.usage(0).mayWrite(100)).isTrue();
    assertThat(cluster.usage(0).mayWrite(101)).isFalse();
    assertThat(cluster.usage(0).refusal(101))
        .isEqualTo("the value has 101 bytes, and the tenant's values up to 100");
  }

  @Test
  void connectionsOfOthersLeaveFewerHere() {
    cluster.quota(Quota.USUAL.with(Limit.CONNECTIONS, 10L));
    cluster.connections.putAll(Map.of(0, 4, 1, 3));
    cluster.talk(1);
    assertThat(cluster.usage(0).mostConnectionsHere()).isEqualTo(7);
    assertThat(cluster.usage(1).mostConnectionsHere()).isEqualTo(6);
    assertThat(cluster.usage(2).mostConnectionsHere()).isEqualTo(3);
    cluster.connections.put(2, 30);
    cluster.talk(1);
    assertThat(cluster.usage(0).mostConnectionsHere()).isZero();
  }

  @Test
  void mapsAreCountedOverAllMembersOnce() {
    cluster.quota(Quota.USUAL.with(Limit.MAPS, 2L));
    cluster.usage(0).mapMade("acme/a");
    cluster.usage(1).mapMade("acme/a");
    cluster.usage(1).mapMade("acme/b");
    cluster.talk(1);
    for (int i = 0; i < 3; i++) {
      assertThat(cluster.usage(i).refusalOfMap("acme/a", 0)).isNull();
      assertThat(cluster.usage(i).refusalOfMap("acme/b", 0)).isNull();
      assertThat(cluster.usage(i).refusalOfMap("acme/c", 0)).contains("2 maps are used up");
    }
    cluster.usage(1).mapGone("acme/b");
    cluster.talk(1);
    assertThat(cluster.usage(2).refusalOfMap("acme/c", 0)).isNull();
  }

  @Test
  void aMapThatIsAboutToBeMadeCounts() {
    cluster.quota(Quota.USUAL.with(Limit.MAPS, 2L));
    TenantHoldings usage = cluster.usage(0);
    assertThat(usage.refusalOfMap("acme/a", 0)).isNull();
    assertThat(usage.refusalOfMap("acme/b", 0)).isNull();
    assertThat(usage.refusalOfMap("acme/c", 0)).isNotNull();
    assertThat(usage.refusalOfMap("acme/a", 0)).as("once").isNull();
    assertThat(usage.refusalOfMap("acme/c", 2_000_000_000L)).as("neither came").isNull();
  }

  @Test
  void locksAreCountedWhereverTheirHoldersAre() {
    cluster.quota(Quota.USUAL.with(Limit.LOCKS, 5L));
    cluster.talk(1, Map.of("acme", 3), Map.of("acme", 1));
    assertThat(cluster.usage(1).refusalOfLock()).isNull();
    assertThat(cluster.usage(1).refusalOfLock()).contains("5 locks");
    cluster.usage(1).unlocked();
    assertThat(cluster.usage(1).refusalOfLock()).isNull();
    cluster.talk(1);
    assertThat(cluster.usage(1).refusalOfLock()).as("counted anew").isNull();
  }

  @Test
  void whatIsLockedWhileLocksAreCountedIsNotForgotten() {
    cluster.quota(Quota.USUAL.with(Limit.LOCKS, 5L));
    for (int i = 0; i < 3; i++) {
      assertThat(cluster.usage(0).refusalOfLock()).isNull();
    }
    HoldingsBook book = cluster.books.get(0);
    assertThat(book.beginCounting()).isTrue();
    Map<String, Integer> three = Map.of("acme", 3);
    for (int i = 0; i < 2; i++) {
      assertThat(cluster.usage(0).refusalOfLock()).isNull();
    }
    assertThat(book.report(tenant -> 0, three).parts()).hasSize(1);
    book.settle(cluster.ids, 1, three);
    assertThat(cluster.usage(0).refusalOfLock()).isNotNull();
  }

  /** What a member that is alone counts locks for. */
  @Test
  void itIsToldOnceThatLocksWereLetIn() {
    Admissions admissions = cluster.members.getFirst();
    cluster.quota(Quota.USUAL.with(Limit.LOCKS, 2L));
    assertThat(admissions.haveLocksBeenLetIn()).isFalse();
    for (int i = 0; i < 2; i++) {
      assertThat(cluster.usage(0).refusalOfLock()).isNull();
    }
    assertThat(admissions.haveLocksBeenLetIn()).isTrue();
    assertThat(admissions.haveLocksBeenLetIn()).isFalse();
    assertThat(cluster.usage(0).refusalOfLock()).isNotNull();
    assertThat(admissions.haveLocksBeenLetIn()).as("by one that was refused").isFalse();
  }

  @Test
  void unlockingWhatIsNotLockedGivesNoCredit() {
    cluster.quota(Quota.USUAL.with(Limit.LOCKS, 5L));
    for (int i = 0; i < 100; i++) {
      cluster.usage(0).unlocked();
    }
    for (int i = 0; i < 5; i++) {
      assertThat(cluster.usage(0).refusalOfLock()).isNull();
    }
    assertThat(cluster.usage(0).refusalOfLock()).isNotNull();
  }

  @Test
  void tenantsWithoutLimitsAreNotSpokenOf() {
    cluster.quota(Quota.USUAL.with(Limit.OPERATIONS, 5L));
    assertThat(cluster.books.get(0).report(tenant -> 3, NO_LOCKS).isEmpty()).isTrue();
    cluster.quota(Quota.USUAL.with(Limit.ENTRIES, 5L));
    assertThat(cluster.books.get(0).report(tenant -> 3, NO_LOCKS).parts()).hasSize(1);
  }

  @Test
  void memoryThatIsTakenBackMayPassItsLimitALittle() {
    long limit = 64L << 20;
    cluster.quota(Quota.USUAL.with(Limit.MEMORY, limit));
    TenantHoldings usage = cluster.usage(0);
    usage.add(limit, 1);
    cluster.talk(1);
    assertThat(usage.mayWrite(1)).isFalse();
    assertThat(usage.refusal(1, false)).contains("67108864 bytes of memory");
    assertThat(usage.refusal(1, true)).isNull();
    assertThat(usage.mustWait()).isFalse();

    usage.add(2L << 20, 1); // half of what it may pass it by
    cluster.talk(1);
    assertThat(usage.mustWait()).isTrue();
    assertThat(usage.refusal(1, true)).isNull();
    usage.setStuck(true);
    assertThat(usage.mustWait()).isFalse();
    assertThat(usage.refusal(1, true)).isNotNull();
    usage.setStuck(false);

    usage.add(2L << 20, 1);
    cluster.talk(1);
    assertThat(usage.refusal(1, true)).isNotNull();
  }

  @Test
  void aMembersPartOfAQuotaIsByWhatItHolds() {
    assertThat(cluster.usage(0).mostBytesHere()).isEqualTo(Long.MAX_VALUE);
    cluster.quota(Quota.USUAL.with(Limit.MEMORY, 1000L));
    cluster.usage(0).add(300, 1);
    cluster.usage(1).add(100, 1);
    cluster.talk(2);
    assertThat(cluster.usage(0).mostBytesHere()).isEqualTo(1500);
    assertThat(cluster.usage(1).mostBytesHere()).isEqualTo(500);
  }
}
