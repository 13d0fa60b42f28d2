package io.keyvalueserve.gates.admission;

import static io.keyvalueserve.gates.admission.ShareAssignment.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The rules of the messages one by one: two members, the first of which coordinates. */
class ShareMessagesTest {
  private static final RateKey QUOTA = new RateKey(1, Resource.BYTES_IN);
  private static final RateLimit LIMIT = new RateLimit(1000, 100);
  private static final long MILLI = 1_000_000;
  private static final UUID A = new UUID(0, 1);
  private static final UUID B = new UUID(0, 2);

  private final MemberShares a = member(A);
  private final MemberShares b = member(B);
  private ShareCoordinator coordinator = coordinator(11);

  private static MemberShares member(UUID id) {
    MemberShares member = new MemberShares(id, 2, ShareTimes.DEFAULT, 0);
    member.setLimit(QUOTA, LIMIT, 0);
    return member;
  }

  private static ShareCoordinator coordinator(long tenure) {
    ShareCoordinator coordinator =
        new ShareCoordinator(tenure, List.of(A, B), ShareTimes.DEFAULT, 0);
    coordinator.setLimit(QUOTA, LIMIT);
    return coordinator;
  }

  private MemberShares member(ShareAssignment assignment) {
    return assignment.member().equals(A) ? a : b;
  }

  /** Delivers a report, and all that follows from it. */
  private void deliver(Optional<DemandReport> report, long millis) {
    List<DemandReport> reports = new ArrayList<>();
    report.ifPresent(reports::add);
    while (!reports.isEmpty()) {
      for (ShareAssignment assignment : coordinator.accept(reports.removeFirst(), millis * MILLI)) {
        member(assignment).accept(assignment, millis * MILLI).ifPresent(reports::add);
      }
    }
  }

  private void ask(MemberShares member, int times, long millis) {
    for (int i = 0; i < times; i++) {
      member.gate(QUOTA, 0).take(1, millis * MILLI);
    }
  }

  private void meet() {
    deliver(a.poll(0), 0);
    deliver(b.poll(0), 0);
    for (long millis = 100; millis <= 200; millis += 100) {
      deliver(a.poll(millis * MILLI), millis);
      deliver(b.poll(millis * MILLI), millis);
    }
  }

  @Test
  void membersThatMeetShareAlike() {
    assertThat(a.share(QUOTA)).as("before anybody has answered").isZero();
    meet();
    assertThat(a.share(QUOTA)).isBetween(WHOLE / 2 - 2, WHOLE / 2);
    assertThat(b.share(QUOTA)).isBetween(WHOLE / 2 - 2, WHOLE / 2);
  }

  @Test
  void aShareIsGivenOnlyWhenTheOtherMemberHasSaidThatItGaveItUp() {
    meet();
    ask(a, 100, 300);
    DemandReport wants = a.poll(300 * MILLI).orElseThrow();
    List<ShareAssignment> out = coordinator.accept(wants, 300 * MILLI);
    ShareAssignment toA = only(out, A);
    ShareAssignment toB = only(out, B);
    assertThat(toA.shares()).isEmpty();
    assertThat(toB.shares().getFirst().parts()).isLessThan(WHOLE / 10);

    DemandReport obeys = b.accept(toB, 300 * MILLI).orElseThrow();
    assertThat(b.share(QUOTA)).isLessThan(WHOLE / 10);
    ShareAssignment more = only(coordinator.accept(obeys, 300 * MILLI), A);
    assertThat(more.shares().getFirst().parts()).isGreaterThan(WHOLE / 10 * 9);
  }

  @Test
  void anAssignmentThatIsLateOrComesTwiceChangesNothing() {
    meet();
    ask(a, 100, 300);
    ShareAssignment first =
        only(coordinator.accept(a.poll(300 * MILLI).orElseThrow(), 300 * MILLI), B);
    deliver(b.accept(first, 300 * MILLI), 300);
    int less = b.share(QUOTA);
    ask(b, 1000, 400);
    deliver(b.poll(400 * MILLI), 400);
    deliver(a.poll(410 * MILLI), 410);
    int more = b.share(QUOTA);
    assertThat(more).isGreaterThan(less);
    assertThat(b.accept(first, 410 * MILLI)).isEmpty();
    assertThat(b.share(QUOTA)).isEqualTo(more);
  }

  @Test
  void anAssignmentForAnotherMemberOrToAnExpiredReportChangesNothing() {
    meet();
    ask(a, 100, 300);
    ShareAssignment toB =
        only(coordinator.accept(a.poll(300 * MILLI).orElseThrow(), 300 * MILLI), B);
    int before = b.share(QUOTA);
    assertThat(a.accept(toB, 300 * MILLI)).isEmpty();
    assertThat(b.accept(toB, 1300 * MILLI)).isEmpty();
    assertThat(b.share(QUOTA)).isEqualTo(before);
  }

  @Test
  void aMemberThatHearsNothingFallsBackToTheSmallerOfItsShareAndAnEqualPart() {
    meet();
    ask(a, 100, 300);
    deliver(a.poll(300 * MILLI), 300);
    int big = a.share(QUOTA);
    int small = b.share(QUOTA);
    assertThat(big).isGreaterThan(WHOLE / 2);
    a.poll(1300 * MILLI);
    b.poll(1300 * MILLI);
    assertThat(a.share(QUOTA)).as("not yet").isEqualTo(big);
    a.poll(1301 * MILLI);
    b.poll(1301 * MILLI);
    assertThat(a.share(QUOTA)).isEqualTo(WHOLE / 2);
    assertThat(b.share(QUOTA)).isEqualTo(small);
  }

  @Test
  void aMemberThatNobodyAnswersTakesAnEqualPartAfterTheTimeOfALease() {
    a.poll(1000 * MILLI);
    assertThat(a.share(QUOTA)).isZero();
    a.poll(1001 * MILLI);
    assertThat(a.share(QUOTA)).isEqualTo(WHOLE / 2);
  }

  @Test
  void aNewCoordinatorChangesNothingUntilAllHaveReported() {
    meet();
    ask(a, 100, 300);
    deliver(a.poll(300 * MILLI), 300);
    int big = a.share(QUOTA);
    coordinator = coordinator(12);
    a.changeCoordinator(350 * MILLI);
    b.changeCoordinator(350 * MILLI);
    ask(b, 1000, 400);
    deliver(b.poll(400 * MILLI), 400);
    assertThat(b.share(QUOTA)).isLessThan(WHOLE / 10);
    assertThat(a.share(QUOTA)).isEqualTo(big);
    deliver(a.poll(410 * MILLI), 410);
    assertThat(b.share(QUOTA)).isGreaterThan(WHOLE / 4);
    assertThat((long) a.share(QUOTA) + b.share(QUOTA)).isLessThanOrEqualTo(WHOLE);
  }

  @Test
  void aLeaseIsCountedFromWhenTheReportWasSentHoweverLateTheAnswerComes() {
    meet();
    ask(a, 100, 300);
    deliver(a.poll(300 * MILLI), 300);
    ask(a, 100, 350);
    DemandReport report = a.poll(400 * MILLI).orElseThrow();
    ShareAssignment answer = only(coordinator.accept(report, 400 * MILLI), A);
    a.accept(answer, 1300 * MILLI);
    a.poll(1400 * MILLI);
    assertThat(a.share(QUOTA)).isGreaterThan(WHOLE / 2);
    a.poll(1401 * MILLI);
    assertThat(a.share(QUOTA)).isEqualTo(WHOLE / 2);
  }

  @Test
  void aNewCoordinatorGivesNothingUntilNoOtherCanBeObeyed() {
    meet();
    ask(a, 100, 300);
    deliver(a.poll(300 * MILLI), 300);
    a.poll(1400 * MILLI);
    b.poll(1400 * MILLI);
    int small = b.share(QUOTA);
    coordinator = new ShareCoordinator(12, List.of(A, B), ShareTimes.DEFAULT, 1400 * MILLI);
    coordinator.setLimit(QUOTA, LIMIT);
    a.changeCoordinator(1400 * MILLI);
    b.changeCoordinator(1400 * MILLI);
    ask(b, 1000, 1410);
    coordinator.accept(a.poll(1410 * MILLI).orElseThrow(), 1410 * MILLI);
    deliver(b.poll(1410 * MILLI), 1410);
    assertThat(b.share(QUOTA)).as("half is free, but the answer to A is lost").isEqualTo(small);
    deliver(a.poll(1510 * MILLI), 1510);
    assertThat(b.share(QUOTA)).isGreaterThan(small);
  }

  @Test
  void aCoordinatorThatKnowsNothingOfAMemberHasItBeginAnew() {
    meet();
    coordinator = coordinator(12);
    deliver(b.poll(300 * MILLI), 300);
    deliver(a.poll(300 * MILLI), 300);
    ask(b, 500, 400);
    deliver(b.poll(400 * MILLI), 400);
    assertThat(b.share(QUOTA)).isGreaterThan(WHOLE / 2);
  }

  @Test
  void aLimitThatIsTakenAwayLimitsNothingAndIsNotReported() {
    meet();
    a.setLimit(QUOTA, RateLimit.UNLIMITED, 300 * MILLI);
    assertThat(a.gate(QUOTA, 0).take(1 << 20, 300 * MILLI)).isZero();
    assertThat(a.poll(300 * MILLI).orElseThrow().demands()).isEmpty();
    b.forget(QUOTA.tenant());
    assertThat(b.poll(300 * MILLI).orElseThrow().demands()).isEmpty();
  }

  @Test
  void limitsThatNobodyAsksForAreNotSpokenOf() {
    meet();
    assertThat(a.poll(300 * MILLI).orElseThrow().demands()).isEmpty();
    ask(a, 1, 350);
    assertThat(a.poll(400 * MILLI).orElseThrow().demands()).hasSize(1);
  }

  @Test
  void aDemandThatComesOrGoesSuddenlyIsReportedAtOnce() {
    meet();
    assertThat(a.poll(210 * MILLI)).isEmpty();
    ask(a, 500, 215);
    assertThat(a.poll(220 * MILLI)).isPresent();
    assertThat(a.poll(230 * MILLI)).as("silent for 10 ms").isEmpty();
    DemandReport gone = a.poll(240 * MILLI).orElseThrow();
    assertThat(gone.demands()).as("nothing is asked for any more").isEmpty();
  }

  @Test
  void tenureZeroIsNobodys() {
    assertThatIllegalArgumentException().isThrownBy(() -> coordinator(0));
    assertThatIllegalArgumentException().isThrownBy(() -> new ShareTimes(100, 200));
  }

  private static ShareAssignment only(List<ShareAssignment> out, UUID member) {
    return out.stream().filter(each -> each.member().equals(member)).findFirst().orElseThrow();
  }
}
