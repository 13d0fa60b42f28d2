package io.keyvalueserve.grid.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.grid.quorum.View.Stamp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: two members never serve the same partition, and a majority always goes on. Method: members
 * without a network, whose messages the test passes on or drops, on one clock that it moves.
 */
class QuorumTest {
  private static final QuorumTimes TIMES = QuorumTimes.ofMillis(1_000, 200, 4_000);
  private static final long BEAT = TIMES.beat();

  private long now = TimeUnit.HOURS.toNanos(1);
  private final Map<Integer, Node> nodes = new LinkedHashMap<>();

  /** A member, with what it remembers. */
  private final class Node implements Quorum.Memory {
    final int number;
    final UUID id;
    Lease lease = Lease.none(() -> now);
    Quorum quorum;
    @Nullable VoterSet set;
    @Nullable Stamp promise;
    boolean canRemember = true;

    Node(int number, SplitMode mode) {
      this.number = number;
      this.id = new UUID(0, number);
      this.quorum = new Quorum(id, mode, TIMES, null, null, this, lease, now);
    }

    void restart() {
      lease = Lease.none(() -> now);
      quorum = new Quorum(id, SplitMode.AUTO, TIMES, set, promise, this, lease, now);
    }

    @Override
    public boolean keep(VoterSet next, Stamp view) {
      if (canRemember) {
        set = next;
        promise = view;
      }
      return canRemember;
    }

    void enter(long version, Node master, Node... members) {
      Map<UUID, String> addresses = new TreeMap<>();
      for (Node member : members) {
        addresses.put(member.id, address(member));
      }
      quorum.enter(new View(version, master.id, addresses), address(master), now);
    }
  }

  private static String address(Node node) {
    return "m" + node.number;
  }

  private Node node(int number) {
    return nodes.computeIfAbsent(number, absent -> new Node(number, SplitMode.AUTO));
  }

  private static void enterAll(long version, Node master, Node... members) {
    for (Node member : members) {
      member.enter(version, master, members);
    }
  }

  /** Lets a beat pass: each leads, asks, and is answered, where both reach each other. */
  private void beat(int named, Node... connected) {
    now += BEAT;
    for (Node node : connected) {
      node.quorum.lead(named, now);
    }
    for (Node asker : connected) {
      for (Node other : connected) {
        if (asker != other) {
          asker.quorum.hear(other.quorum.answer(asker.quorum.ask(now), now), now);
        }
      }
    }
  }

  private void beats(int count, int named, Node... connected) {
    for (int i = 0; i < count; i++) {
      beat(named, connected);
    }
  }

  private Node[] three() {
    Node[] all = {node(1), node(2), node(3)};
    enterAll(3, all[0], all);
    beats(20, 3, all);
    return all;
  }

  private static VoterSet voters(Node node) {
    return Objects.requireNonNull(node.quorum.voters());
  }

  private static Collection<UUID> ids(Node... of) {
    List<UUID> ids = new ArrayList<>();
    for (Node each : of) {
      ids.add(each.id);
    }
    return ids;
  }

  @Test
  void theFirstSetNeedsAMajorityOfThoseThatAreNamed() {
    Node one = node(1);
    one.enter(1, one, one);
    beats(20, 3, one);
    assertThat(one.quorum.voters()).isNull();
    assertThat(one.lease.holds()).isFalse();
    Node two = node(2);
    enterAll(2, one, one, two);
    beats(20, 3, one, two);
    assertThat(voters(one).voters()).containsOnlyKeys(ids(one, two));
    assertThat(two.lease.holds()).isTrue();
    assertThat(voters(one).consistent()).as("three are named").isTrue();
    beats(6, 3, one);
    assertThat(one.lease.holds()).as("alone").isFalse();
  }

  @Test
  void aMemberServesOnlyWhileAMajorityAnswers() {
    Node[] all = three();
    for (Node each : all) {
      assertThat(each.lease.holds()).isTrue();
    }
    beats(6, 3, all[0], all[1]);
    assertThat(all[2].lease.holds()).isFalse();
    assertThat(all[0].lease.holds()).isTrue();
    beats(1, 3, all);
    assertThat(all[2].lease.holds()).isTrue();
  }

  @Test
  void aPauseEndsTheLeaseWithoutAnythingBeingDone() {
    Node[] all = three();
    now += TIMES.lease() + 1;
    assertThat(all[0].lease.holds()).isFalse();
  }

  @Test
  void aMemberThatIsNotInTheListGetsNoGrant() {
    Node[] all = three();
    all[0].enter(4, all[0], all[0], all[1]);
    all[1].enter(4, all[0], all[0], all[1]);
    beats(6, 3, all);
    assertThat(all[2].lease.holds()).isFalse();
    assertThat(all[2].quorum.isOutcast(now)).isFalse();
    beats(6, 3, all);
    all[2].quorum.isOutcast(now);
    beats(6, 3, all);
    assertThat(all[2].quorum.isOutcast(now)).isTrue();
    assertThat(all[0].quorum.isOutcast(now)).isFalse();
  }

  @Test
  void whatWasTakenOverIsServedWhenTheLostMembersLeaseHasEnded() {
    Node[] all = three();
    Set<String> lifted = new HashSet<>();
    long lastGrant = now;
    all[0].enter(4, all[0], all[0], all[1]);
    all[0].lease.fence(() -> lifted.add("p"), all[2].id);
    beats(1, 3, all[0], all[1]);
    assertThat(lifted).as("another voter has not lost it yet").isEmpty();
    all[1].enter(4, all[0], all[0], all[1]);
    while (lifted.isEmpty()) {
      beat(3, all[0], all[1]);
      assertThat(now - lastGrant).isLessThan(2 * TIMES.lease());
    }
    assertThat(now - lastGrant).isGreaterThanOrEqualTo(TIMES.lease());
    assertThat(all[2].lease.holds()).isFalse();
  }

  @Test
  void aFenceWaitsUntilTheFormerOwnerIsOutOfTheList() {
    Node[] all = three();
    Set<String> lifted = new HashSet<>();
    all[0].lease.fence(() -> lifted.add("p"), all[2].id);
    beats(20, 3, all);
    assertThat(lifted).isEmpty();
  }

  @Test
  void votersChangeOneByOneAndOnlyWhenTheLastSetIsKnown() {
    Node[] all = three();
    Node four = node(4);
    Node five = node(5);
    Node[] more = {all[0], all[1], all[2], four, five};
    enterAll(5, all[0], more);
    Set<Integer> sizes = new HashSet<>();
    for (int i = 0; i < 30; i++) {
      beat(3, more);
      sizes.add(voters(all[0]).voters().size());
    }
    assertThat(sizes).contains(4, 5);
    assertThat(voters(five).voters()).containsOnlyKeys(ids(more));
    assertThat(five.lease.holds()).isTrue();
  }

  @Test
  void withoutAMajorityNoVoterIsChanged() {
    Node[] all = three();
    long number = voters(all[0]).number();
    Node four = node(4);
    all[0].enter(9, all[0], all[0], four);
    four.enter(9, all[0], all[0], four);
    beats(50, 3, all[0], four);
    assertThat(voters(all[0]).number()).isEqualTo(number);
    assertThat(all[0].lease.holds()).isFalse();
    assertThat(all[0].quorum.silent(now)).as("it must not decide who is lost").isEmpty();
  }

  @Test
  void aNewMasterProposesInATermOfItsOwn() {
    Node[] all = three();
    long term = voters(all[1]).term();
    all[1].enter(4, all[1], all[1], all[2]);
    all[2].enter(4, all[1], all[1], all[2]);
    beats(10, 3, all[1], all[2]);
    assertThat(voters(all[2]).term()).isGreaterThan(term);
    assertThat(voters(all[2]).proposer()).isEqualTo(all[1].id);
    assertThat(all[1].lease.holds()).isTrue();
    beats(50, 3, all[1], all[2]);
    assertThat(voters(all[1]).voters()).as("three keep the lost one").hasSize(3);
  }

  @Test
  void aLostVoterIsReplacedByOneThatIsThere() {
    Node[] all = three();
    Node four = node(4);
    Node[] now3 = {all[0], all[1], four};
    enterAll(5, all[0], now3);
    beats(80, 3, now3);
    assertThat(voters(all[0]).voters()).containsOnlyKeys(ids(now3));
  }

  @Test
  void aMemberThatLeavesIsNoVoterWhenItGoes() {
    Node[] all = three();
    all[2].quorum.leave();
    beats(20, 3, all);
    assertThat(all[2].quorum.hasLeft()).isTrue();
    assertThat(voters(all[0]).voters()).containsOnlyKeys(ids(all[0], all[1]));
    assertThat(voters(all[0]).consistent()).as("it has had three").isTrue();
    assertThat(all[2].lease.holds()).as("it hands over what it has").isTrue();
  }

  @Test
  void aVoterThatCannotRememberGrantsNothing() {
    Node[] all = three();
    all[1].canRemember = false;
    enterAll(4, all[0], all);
    beats(8, 3, all[0], all[1]);
    assertThat(all[0].lease.holds()).isFalse();
    all[1].canRemember = true;
    beats(8, 3, all[0], all[1]);
    assertThat(all[0].lease.holds()).isTrue();
  }

  @Test
  void aVoterThatComesBackToItsOwnClusterGrantsAgain() {
    Node[] all = three();
    beats(10, 3, all[0]); // it lost both
    all[2].restart();
    all[0].enter(4, all[0], all);
    all[2].enter(4, all[0], all);
    beats(10, 3, all[0], all[2]);
    assertThat(all[0].lease.holds()).isTrue();
  }

  @Test
  void aVoterThatWasInALaterViewDoesNotGoBack() {
    Node[] all = three();
    all[1].enter(4, all[1], all[1], all[2]); // these two went on without the first
    all[2].enter(4, all[1], all[1], all[2]);
    beats(10, 3, all[1], all[2]);
    all[2].restart();
    all[0].enter(5, all[0], all); // which has heard of nothing, and has it join
    all[2].enter(5, all[0], all);
    beats(40, 3, all[0], all[2]);
    assertThat(all[0].lease.holds()).as("it would serve what is old").isFalse();
    assertThat(all[2].lease.holds()).isFalse();
  }

  @Test
  void whenAllComeBackAMajorityIsEnough() {
    Node[] all = three();
    all[0].restart();
    all[1].restart();
    all[0].enter(1, all[0], all[0], all[1]);
    all[1].enter(1, all[0], all[0], all[1]);
    beats(10, 3, all[0], all[1]);
    assertThat(all[0].lease.holds()).isTrue();
    assertThat(all[1].lease.holds()).isTrue();
  }

  @Test
  void silenceIsNotCountedWhileTheMemberItselfWasStopped() {
    Node[] all = three();
    now += TIMES.silence() * 3;
    all[0].quorum.wasPaused(now);
    beat(3, all[0], all[1]);
    assertThat(all[0].quorum.silent(now)).isEmpty();
    beats(25, 3, all[0], all[1]);
    assertThat(all[0].quorum.silent(now)).containsExactlyElementsOf(ids(all[2]));
  }

  @Test
  void oneAndTwoMembersServeAloneUnlessTheyWereThree() {
    Node one = node(1);
    one.enter(1, one, one);
    beats(2, 1, one);
    assertThat(one.lease.isForever()).isTrue();
    Node two = node(2);
    enterAll(2, one, one, two);
    beats(20, 1, one, two);
    assertThat(two.lease.isForever()).isTrue();
    assertThat(voters(one).consistent()).isFalse();
    Node three = node(3);
    enterAll(3, one, one, two, three);
    beats(20, 1, one, two, three);
    assertThat(voters(one).consistent()).isTrue();
    assertThat(one.lease.isForever()).isFalse();
    assertThat(one.lease.holds()).isTrue();
  }

  @Test
  void ofTwoClustersThatHaveNotBegunOneGivesWay() {
    Node one = node(1);
    Node two = node(2);
    one.enter(1, one, one);
    two.enter(1, two, two);
    beats(5, 3, one, two);
    boolean _ = two.quorum.isOutcast(now);
    beats(6, 3, one, two);
    assertThat(two.quorum.isOutcast(now)).isTrue();
    assertThat(one.quorum.isOutcast(now)).isFalse();
  }
}
