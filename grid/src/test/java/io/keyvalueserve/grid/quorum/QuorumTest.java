package io.keyvalueserve.grid.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.grid.quorum.MembersView.Stamp;
import io.keyvalueserve.maps.Lease;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules by which members lease, lose and find each other, one at a time. */
@SuppressWarnings("ReferenceEquality") // members are what they are
class QuorumTest {
  private static final QuorumTimes TIMES = QuorumTimes.ofMillis(1_000, 200, 4_000);
  private static final int LONG_ROUNDS = 60;

  private long now = 5_000_000;

  private final class Member implements Quorum.Memory {
    private final UUID id;
    private final String address;
    private SplitMode mode = SplitMode.AUTO;
    private Lease lease = Lease.none(() -> now);
    private Quorum quorum;
    private boolean keeps = true;
    private @Nullable VoterSet kept;
    private @Nullable Stamp promise;

    Member(int number) {
      id = new UUID(1, number);
      address = "m" + number;
      quorum = new Quorum(id, mode, TIMES, null, null, this, lease, now);
    }

    void start() {
      lease = Lease.none(() -> now);
      quorum = new Quorum(id, mode, TIMES, kept, promise, this, lease, now);
    }

    @Override
    public boolean keep(VoterSet set, Stamp stamp) {
      if (keeps) {
        kept = set;
        promise = stamp;
      }
      return keeps;
    }

    VoterSet set() {
      return Objects.requireNonNull(quorum.voters());
    }

    boolean holds() {
      return lease.holds();
    }

    List<String> voters() {
      VoterSet set = quorum.voters();
      return set == null ? List.of() : List.copyOf(set.voters().values());
    }
  }

  private final Member a = new Member(1);
  private final Member b = new Member(2);
  private final Member c = new Member(3);
  private final Member d = new Member(4);
  private final Member e = new Member(5);

  private void view(long version, Member master, List<Member> members, Member... told) {
    Map<UUID, String> all = new HashMap<>();
    members.forEach(member -> all.put(member.id, member.address));
    for (Member member : told) {
      member.quorum.enter(new MembersView(version, master.id, all), master.address, now);
    }
  }

  private void ask(Member asker, Member other) {
    asker.quorum.hear(other.quorum.answer(asker.quorum.ask(now), now), now);
  }

  /** One beat in which these members reach each other, and nobody else. */
  private void beat(int named, Member... members) {
    now += TIMES.beat();
    for (Member member : members) {
      member.quorum.lead(named, now);
      for (Member other : members) {
        if (other != member) {
          ask(member, other);
        }
      }
    }
  }

  private void beats(int count, int named, Member... members) {
    for (int i = 0; i < count; i++) {
      beat(named, members);
    }
  }

  private void three() {
    view(3, a, List.of(a, b, c), a, b, c);
    beats(4, 3, a, b, c);
    assertThat(List.of(a.holds(), b.holds(), c.holds())).containsOnly(true);
  }

  @Test
  void waitsForMostOfThoseThatAreNamed() {
    view(1, a, List.of(a, b), a, b);
    beats(5, 5, a, b);
    assertThat(a.voters()).isEmpty();
    view(2, a, List.of(a, b, c), a, b, c);
    beats(5, 5, a, b, c);
    assertThat(a.voters()).containsExactly("m1", "m2", "m3");
    assertThat(c.holds()).isTrue();
  }

  @Test
  void beginsOnlyWithMembersThatRememberNothing() {
    three();
    d.quorum.enter(new MembersView(1, d.id, Map.of(d.id, "m4", c.id, "m3")), "m4", now);
    ask(d, c);
    d.quorum.lead(2, now);
    assertThat(d.set().origin()).isEqualTo(c.set().origin());
  }

  @Test
  void servesInTheFirstSetOnlyOnceAllVotersKnowIt() {
    c.keeps = false;
    view(3, a, List.of(a, b, c), a, b, c);
    beats(6, 3, a, b, c);
    assertThat(a.voters()).hasSize(3);
    assertThat(a.holds()).isFalse();
    c.keeps = true;
    beats(4, 3, a, b, c);
    assertThat(a.holds()).isTrue();
  }

  @Test
  void leasesFromAMajorityUntilTheClockSaysThatItIsOver() {
    three();
    long asked = now;
    ask(a, b);
    now = asked + TIMES.lease() - 1;
    assertThat(a.holds()).isTrue();
    now++;
    assertThat(a.holds()).isFalse();
  }

  @Test
  void countsAGrantFromTheMomentOfItsQuestion() {
    three();
    QuorumAsk question = a.quorum.ask(now);
    QuorumAnswer answer = b.quorum.answer(question, now);
    now += TIMES.lease() - 1;
    a.quorum.hear(answer, now);
    assertThat(a.holds()).isTrue();
    now++;
    assertThat(a.holds()).isFalse();
  }

  @Test
  void takesNoAnswerToAnEarlierLife() {
    three();
    now += 2 * TIMES.lease();
    QuorumAsk question = a.quorum.ask(now + 1_000 * TIMES.lease());
    a.quorum.hear(b.quorum.answer(question, now), now);
    a.quorum.hear(c.quorum.answer(question, now), now);
    assertThat(a.holds()).isFalse();
  }

  @Test
  void grantsNothingToAMemberThatIsNotInTheList() {
    three();
    view(4, b, List.of(b, c), b, c);
    assertThat(b.quorum.answer(a.quorum.ask(now), now).grants()).isFalse();
    beats(6, 3, a, b, c);
    assertThat(a.holds()).isFalse();
    assertThat(b.holds()).isTrue();
  }

  @Test
  void grantsNothingToAMemberOfAnotherClusterThatTheListStillNames() {
    three();
    view(9, c, List.of(c, a), c);
    assertThat(a.quorum.answer(c.quorum.ask(now), now).grants()).isFalse();
  }

  @Test
  void liftsAFenceOnceAMajoritysLastGrantsHaveEnded() {
    three();
    long granted = now;
    boolean[] lifted = {false};
    view(4, b, List.of(b, c), b, c);
    b.lease.fence(() -> lifted[0] = true, a.id);
    while (now + TIMES.beat() < granted + TIMES.fence()) {
      beat(3, b, c);
      assertThat(lifted[0]).isFalse();
      assertThat(b.holds()).isTrue();
    }
    beats(2, 3, b, c);
    assertThat(lifted[0]).isTrue();
    assertThat(a.holds()).isFalse();
  }

  @Test
  void keepsAFenceWhileOneVoterOfThreeHasTheNewList() {
    three();
    boolean[] lifted = {false};
    view(4, b, List.of(b, c), b);
    b.lease.fence(() -> lifted[0] = true, a.id);
    beats(20, 3, b, c);
    assertThat(lifted[0]).isFalse();
    view(4, b, List.of(b, c), c);
    beats(8, 3, b, c);
    assertThat(lifted[0]).isTrue();
  }

  @Test
  void knowsTheViewOfAFenceThoughTheLostMemberIsBackAtOnce() {
    three();
    boolean[] lifted = {false};
    view(4, b, List.of(b, c), b, c);
    b.lease.fence(() -> lifted[0] = true, a.id);
    view(5, b, List.of(b, c, a), b, c);
    beats(8, 3, b, c);
    assertThat(lifted[0]).isTrue();
  }

  @Test
  void addsOneVoterAtATimeAndOnlyOnceTheLastSetIsKnown() {
    three();
    view(5, a, List.of(a, b, c, d, e), a, b, c, d, e);
    int before = 3;
    for (int i = 0; i < LONG_ROUNDS; i++) {
      beat(3, a, b, c, d, e);
      assertThat(a.voters().size()).isBetween(before, before + 1);
      before = a.voters().size();
    }
    assertThat(e.voters()).hasSize(5);
    view(6, a, List.of(a, b, c, d, e, new Member(6)), a, b, c, d, e);
    beats(LONG_ROUNDS, 3, a, b); // no majority of five
    assertThat(a.voters()).hasSize(5);
  }

  @Test
  void proposesTheSameVotersAgainAsANewMaster() {
    three();
    view(4, b, List.of(b, c), b, c);
    beats(3, 3, b, c);
    VoterSet set = b.set();
    assertThat(set.term()).isEqualTo(2);
    assertThat(set.proposer()).isEqualTo(b.id);
    assertThat(set.voters()).hasSize(3);
  }

  @Test
  void removesAVoterThatLeaves() {
    three();
    c.quorum.leave();
    assertThat(c.quorum.hasLeft()).isFalse();
    beats(4, 3, a, b, c);
    assertThat(a.voters()).containsExactly("m1", "m2");
    assertThat(c.quorum.hasLeft()).isTrue();
  }

  @Test
  void replacesALostVoterByAMemberThatIsThere() {
    three();
    view(4, a, List.of(a, b), a, b);
    beats(LONG_ROUNDS, 3, a, b);
    assertThat(a.voters()).as("three keep a lost one").hasSize(3);
    view(5, a, List.of(a, b, d), a, b, d);
    beats(LONG_ROUNDS, 3, a, b, d);
    assertThat(a.voters()).containsExactly("m1", "m2", "m4");
  }

  @Test
  void forgetsALostVoterAndNeverTakesItsIdAgain() {
    three();
    view(4, a, List.of(a, b), a, b);
    beats(LONG_ROUNDS, 3, a, b);
    assertThat(a.quorum.forget(c.id, now)).isEqualTo(Forgetting.UNDER_WAY);
    assertThat(a.quorum.forgottenByAll(now)).isEmpty();
    beats(2, 3, a, b);
    assertThat(a.quorum.forget(c.id, now)).isEqualTo(Forgetting.DONE);
    assertThat(b.voters()).containsExactly("m1", "m2");
    assertThat(b.quorum.forgottenByAll(now)).containsExactly(c.id);
    assertThat(List.of(a.holds(), b.holds())).containsOnly(true);
    assertThat(b.kept).isEqualTo(a.set());
    view(5, a, List.of(a, b, c), a, b, c);
    beats(LONG_ROUNDS, 3, a, b, c);
    assertThat(a.voters()).containsExactly("m1", "m2");
    view(6, b, List.of(b, c), b, c); // another master knows it, too
    beats(4, 3, b, c, a);
    assertThat(b.set().forgotten()).containsExactly(c.id);
  }

  @Test
  void forgetsNobodyWhoMayBeAlive() {
    three();
    assertThat(a.quorum.forget(c.id, now)).as("in the list").isEqualTo(Forgetting.ALIVE);
    assertThat(a.quorum.forget(a.id, now)).as("itself").isEqualTo(Forgetting.ALIVE);
    view(4, a, List.of(a, b), a, b);
    beat(3, a, b);
    assertThat(a.quorum.forget(c.id, now)).as("heard just now").isEqualTo(Forgetting.ALIVE);
    beats(LONG_ROUNDS, 3, a, b);
    assertThat(a.quorum.forget(c.id, now)).isEqualTo(Forgetting.UNDER_WAY);
    ask(c, a);
    beats(2, 3, a, b);
    assertThat(a.voters()).as("heard before it was proposed").hasSize(3);
  }

  @Test
  void forgetsOnlyWithAMajorityThatAsksItsMaster() {
    three();
    view(4, a, List.of(a, b), a, b);
    beats(LONG_ROUNDS, 3, a, b);
    assertThat(b.quorum.forget(c.id, now)).isEqualTo(Forgetting.NOT_LEADING);
    now += 2 * TIMES.lease();
    assertThat(a.quorum.forget(c.id, now)).isEqualTo(Forgetting.NO_MAJORITY);
    assertThat(d.quorum.forget(c.id, now)).isEqualTo(Forgetting.NO_MAJORITY);
    beats(3, 3, a, b);
    assertThat(a.voters()).as("nothing is done later").hasSize(3);
    assertThat(a.quorum.forget(c.id, now)).isEqualTo(Forgetting.UNDER_WAY);
    now += 2 * TIMES.lease();
    beats(3, 3, a, b);
    assertThat(a.voters()).as("nobody asks any more").hasSize(3);
  }

  @Test
  void forgetsNobodyWhereNoMajorityDecides() {
    view(2, a, List.of(a, b), a, b);
    beats(4, 2, a, b);
    assertThat(a.set().consistent()).isFalse();
    assertThat(a.quorum.forget(c.id, now)).isEqualTo(Forgetting.NOT_CONSISTENT);
  }

  @Test
  void waitsAfterARestartUntilTheViewIsKnownToGoOn() {
    three();
    c.start();
    view(4, a, List.of(a, b, c), a, b, c);
    assertThat(c.quorum.ask(now).promise()).isNotNull();
    ask(a, c);
    assertThat(c.quorum.answer(a.quorum.ask(now), now).grants()).isFalse();
    assertThat(c.holds()).isFalse();
    beats(2, 3, a, b, c);
    assertThat(c.quorum.ask(now).promise()).isNull();
    assertThat(c.holds()).isTrue();
  }

  @Test
  void keepsWaitingAmongMembersThatAreBehind() {
    three();
    view(4, b, List.of(b, c), b, c);
    c.start();
    view(4, a, List.of(a, c), a, c); // of the old master, which never had the other's list
    beats(20, 3, a, c);
    assertThat(c.quorum.ask(now).promise()).isNotNull();
    assertThat(a.holds()).isFalse();
    assertThat(a.quorum.isOutcast(now)).isFalse();
    beats(6, 3, a, c);
    assertThat(a.quorum.isOutcast(now)).isTrue();
  }

  @Test
  void goesOnWhenAMajorityHasComeBack() {
    three();
    a.start();
    b.start();
    view(1, a, List.of(a), a);
    beats(5, 3, a);
    assertThat(a.holds()).isFalse();
    view(2, a, List.of(a, b), a, b);
    beats(5, 3, a, b);
    assertThat(a.holds()).isTrue();
    assertThat(b.holds()).isTrue();
  }

  /** It has joined a cluster that ended, with a part of what that had; the other has all. */
  @Test
  void doesNotCountAsComeBackWhenItHadJoinedARunningCluster() {
    three();
    a.start();
    a.quorum.joined(now);
    b.start();
    view(2, a, List.of(a, b), a, b);
    beats(8, 3, a, b);
    assertThat(a.holds()).isFalse();
    assertThat(b.holds()).isFalse();
    beats(40, 3, a, b);
    assertThat(a.quorum.isOutcast(now)).as("it starts again, to come back with the other").isTrue();
  }

  /** Hazelcast's list still names the master, which has started again and is in another view. */
  @Test
  void isOutcastWhenItCameBackAndItsMasterIsGone() {
    three();
    a.start();
    b.start();
    view(5, c, List.of(c, a, b), a, b);
    beats(38, 3, a, b);
    assertThat(a.holds()).isFalse();
    assertThat(a.quorum.isOutcast(now)).isFalse();
    beats(4, 3, a, b);
    assertThat(a.quorum.isOutcast(now)).isTrue();
    assertThat(b.quorum.isOutcast(now)).isTrue();
  }

  @Test
  void isOutcastWhenAClusterServesWithoutIt() {
    three();
    view(4, b, List.of(b, c), b, c);
    beats(14, 3, a, b, c);
    assertThat(a.quorum.isOutcast(now)).isFalse();
    beats(6, 3, a, b, c);
    assertThat(a.quorum.isOutcast(now)).isTrue();
    assertThat(b.quorum.isOutcast(now)).isFalse();
  }

  @Test
  void findsSilentMembersOnlyWithALeaseAndNotAfterAPause() {
    three();
    beats(20, 3, a, b);
    assertThat(a.quorum.silent(now)).containsExactly(c.id);
    a.quorum.recordPause(now);
    assertThat(a.quorum.silent(now)).isEmpty();
    now += 3 * TIMES.silence();
    assertThat(a.holds()).isFalse();
    assertThat(a.quorum.silent(now)).isEmpty();
    assertThat(a.quorum.mayDecide()).isFalse();
  }

  @Test
  void knowsWhomItLostLatelyAlsoWhenTheyAreNotInItsListAnyMore() {
    three();
    beats(12, 3, a, b);
    view(4, a, List.of(a, b), a);
    assertThat(a.quorum.lostLately(TimeUnit.MINUTES.toNanos(1), now)).containsExactly("m3");
    assertThat(a.quorum.lostLately(TIMES.lease(), now)).isEmpty();
    beat(3, a, b, c);
    assertThat(a.quorum.lostLately(TimeUnit.MINUTES.toNanos(1), now)).isEmpty();
  }

  /** All were apart, and are heard again one after the other. */
  @Test
  void silenceBeginsAnewWhenTheLeaseIsBack() {
    three();
    now += 3 * TIMES.silence();
    beats(2, 3, a, b);
    assertThat(a.holds()).isTrue();
    assertThat(a.quorum.silent(now)).isEmpty();
    assertThat(a.quorum.ask(now).standing().silent()).isEmpty();
    beats(20, 3, a, b);
    assertThat(a.quorum.silent(now)).containsExactly(c.id);
  }

  /** Beats in which some pairs do not reach each other. */
  private void beatsApart(int count, List<List<Member>> pairs) {
    for (int i = 0; i < count; i++) {
      now += TIMES.beat();
      for (List<Member> pair : pairs) {
        ask(pair.getFirst(), pair.getLast());
        ask(pair.getLast(), pair.getFirst());
      }
    }
  }

  @Test
  void theMasterPartsWithOneOfTwoThatDoNotReachEachOther() {
    three();
    beatsApart(20, List.of(List.of(a, b), List.of(a, c)));
    assertThat(a.quorum.apart(now)).as("not at once: one of them may have ended").isEmpty();
    beatsApart(6, List.of(List.of(a, b), List.of(a, c)));
    assertThat(a.quorum.apart(now)).containsExactly(c.id);
    assertThat(b.quorum.apart(now)).as("only the master").isEmpty();
    assertThat(a.quorum.silent(now)).isEmpty();
    beats(2, 3, a, b, c);
    assertThat(a.quorum.apart(now)).isEmpty();
  }

  @Test
  void aMemberThatHasEndedIsSilentAndNotApart() {
    three();
    for (int i = 0; i < 40; i++) {
      beats(1, 3, a, b);
      assertThat(a.quorum.apart(now)).isEmpty();
    }
    assertThat(a.quorum.silent(now)).containsExactly(c.id);
  }

  @Test
  void aListThatHasLostMembersMustBeConfirmed() {
    three();
    assertThat(c.lease.isConfirmed()).isTrue();
    view(4, c, List.of(c), c); // it takes both others for lost, as they have it
    view(4, a, List.of(a, b), a, b);
    assertThat(c.holds()).as("what it was granted before counts no more").isFalse();
    assertThat(a.holds()).isFalse();
    beats(1, 3, a, b, c);
    assertThat(a.holds()).isTrue();
    assertThat(a.lease.isConfirmed()).isTrue();
    assertThat(b.holds()).isTrue();
    beats(3, 3, a, b, c);
    assertThat(c.holds()).isFalse();
    assertThat(c.lease.isConfirmed()).isFalse();
  }

  @Test
  void aListThatHasGrownNeedNotBeConfirmed() {
    three();
    view(4, a, List.of(a, b, c, d), a, b, c, d);
    assertThat(b.holds()).isTrue();
    assertThat(b.lease.isConfirmed()).isFalse();
  }

  @Test
  void whoDoesNotHearTheMasterGoes() {
    three();
    for (int i = 0; i < 40 && a.quorum.apart(now).isEmpty(); i++) {
      now += TIMES.beat();
      ask(a, c);
      ask(c, a);
      ask(b, c);
      ask(c, b);
      QuorumAnswer _ = a.quorum.answer(b.quorum.ask(now), now); // which does not arrive
    }
    assertThat(a.quorum.apart(now)).containsExactly(b.id);
  }

  @Test
  void isConsistentFromThreeVotersOnAndStaysSoWithTwo() {
    view(1, a, List.of(a), a);
    beats(2, 1, a);
    assertThat(a.set().consistent()).isFalse();
    view(2, a, List.of(a, b), a, b);
    beats(20, 1, a, b);
    assertThat(a.set().consistent()).isFalse();
    view(3, a, List.of(a, b, c), a, b, c);
    beats(20, 1, a, b, c);
    assertThat(a.set().consistent()).isTrue();
    c.quorum.leave();
    beats(4, 1, a, b, c);
    assertThat(a.voters()).hasSize(2);
    assertThat(a.set().consistent()).isTrue();
  }

  @Test
  void servesAloneWhereAvailabilityIsWanted() {
    for (Member member : List.of(a, b, c)) {
      member.mode = SplitMode.AVAILABLE;
      member.start();
    }
    three();
    now += 100 * TIMES.lease();
    assertThat(a.holds()).isTrue();
    assertThat(a.lease.isForever()).isTrue();
  }

  @Test
  void grantsNothingThatItMightForget() {
    three();
    c.keeps = false;
    view(4, a, List.of(a, b, c), a, b, c);
    assertThat(c.quorum.answer(a.quorum.ask(now), now).grants()).isFalse();
    now += 2 * TIMES.lease();
    ask(c, a);
    assertThat(c.holds()).as("its own vote does not count either").isFalse();
    c.keeps = true;
    beats(2, 3, a, b, c);
    assertThat(c.quorum.answer(a.quorum.ask(now), now).grants()).isTrue();
  }

  @Test
  void takesNoOlderListThanItsOwn() {
    three();
    view(4, b, List.of(b, c), b, c);
    view(3, a, List.of(a, b, c), b);
    assertThat(b.quorum.answer(a.quorum.ask(now), now).isMember()).isFalse();
  }
}
