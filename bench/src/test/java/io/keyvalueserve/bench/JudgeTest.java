package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.bench.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: each way to break a promise is found, and nothing else. Method: a key with writes as a
 * writer would have noted them, one member that is killed at {@link #KILL}, and what is found then.
 */
class JudgeTest {
  private static final long SALT = 42;
  private static final long SECOND = 1_000_000_000L;
  private static final long KILL = 1_000 * SECOND;
  private static final long SENT_MILLIS = 5_000_000;
  private static final long FOUND_MILLIS = SENT_MILLIS + 10_000;

  private final KeyHistory key = new KeyHistory(5);

  @Test
  void findsThatAnAcknowledgedWriteIsMissing() {
    acknowledged(100, 0.001);
    assertBroken(Promise.ALWAYS, nothing(), Kind.LOST);
  }

  @Test
  void findsThatAnOlderValueIsThere() {
    KeyWrite older = acknowledged(100, 0.002);
    acknowledged(200, 0.001);
    assertBroken(Promise.ALWAYS, found(older), Kind.OLDER);
  }

  @Test
  void findsThatAnOverwrittenValueOfAnEarlierRoundIsThere() {
    KeyWrite older = acknowledged(100, 5);
    KeyWrite last = acknowledged(200, 4);
    key.settle(last);
    assertBroken(Promise.EVERYSEC, found(older), Kind.OLDER);
  }

  @Test
  void findsThatADeletedValueIsBack() {
    KeyWrite deleted = acknowledged(100, 0.002);
    acknowledged(KeyWrite.DELETE, 0.001);
    assertBroken(Promise.ALWAYS, found(deleted), Kind.RETURNED);
  }

  @Test
  void findsThatAValueIsBackThatWasGoneInAnEarlierRound() {
    KeyWrite deleted = acknowledged(100, 3);
    key.settle(KeyWrite.absent(0));
    assertBroken(Promise.EVERYSEC, found(deleted), Kind.RETURNED);
  }

  @Test
  void findsAValueThatWasNeverWritten() {
    acknowledged(100, 0.002);
    StampedValue later = new StampedValue(key.number(), 2, 100);
    StampedValue otherLength = new StampedValue(key.number(), 1, 101);
    StampedValue otherKey = new StampedValue(key.number() + 1, 1, 100);
    for (StampedValue never : List.of(later, otherLength, otherKey)) {
      assertBroken(Promise.EVERYSEC, found(never.bytes(SALT), Found.FOR_EVER), Kind.NEVER_WRITTEN);
    }
  }

  @Test
  void findsAValueThatIsNotWhole() {
    KeyWrite write = acknowledged(100, 2);
    byte[] value = bytes(write);
    value[99] ^= 1;
    assertBroken(Promise.EVERYSEC, found(value, Found.FOR_EVER), Kind.DAMAGED);
    assertBroken(Promise.EVERYSEC, found(new byte[3], Found.FOR_EVER), Kind.DAMAGED);
    byte[] ofAnotherRun = new StampedValue(key.number(), 1, 100).bytes(SALT + 1);
    assertBroken(Promise.EVERYSEC, found(ofAnotherRun, Found.FOR_EVER), Kind.DAMAGED);
  }

  @Test
  void findsThatARefusedWriteIsThere() {
    KeyWrite refused = key.begin(100, 0, 1, SENT_MILLIS);
    refused.refuse();
    assertBroken(Promise.EVERYSEC, found(refused), Kind.REFUSED);
    assertKept(Promise.ALWAYS, nothing());
  }

  @Test
  void findsThatAnExpiredValueIsThere() {
    KeyWrite write = acknowledged(100, 9_000, 2);
    Found tooLate = found(bytes(write), 1_000);
    assertBroken(Promise.ALWAYS, tooLate, Kind.EXPIRED);
  }

  @Test
  void findsThatAValueIsGoneBeforeItsTime() {
    acknowledged(100, 11_000, 2);
    assertBroken(Promise.ALWAYS, nothing(), Kind.GONE_EARLY);
  }

  @Test
  void findsThatAValueExpiresAtAnotherTime() {
    KeyWrite write = acknowledged(100, 60_000, 2);
    assertKept(Promise.ALWAYS, found(bytes(write), 50_000));
    assertBroken(Promise.ALWAYS, found(bytes(write), 60_000), Kind.WRONG_EXPIRY);
    assertBroken(Promise.ALWAYS, found(bytes(write), 40_000), Kind.WRONG_EXPIRY);
    assertBroken(Promise.ALWAYS, found(bytes(write), Found.FOR_EVER), Kind.WRONG_EXPIRY);
  }

  @Test
  void findsThatAValueExpiresWhichShouldNot() {
    KeyWrite write = acknowledged(100, 2);
    assertBroken(Promise.ALWAYS, found(bytes(write), 50_000), Kind.WRONG_EXPIRY);
  }

  @Test
  void takesTheLastAcknowledgedWriteAndWhatWasNotAnsweredAfterIt() {
    KeyWrite last = acknowledged(100, 0.001);
    KeyWrite set = key.begin(200, 0, 2, SENT_MILLIS);
    key.begin(KeyWrite.DELETE, 0, 3, SENT_MILLIS);
    assertKept(Promise.ALWAYS, found(last));
    assertKept(Promise.ALWAYS, found(set));
    assertKept(Promise.ALWAYS, nothing());
  }

  @Test
  void takesAnExpiredValueForNone() {
    acknowledged(100, 3);
    acknowledged(100, 9_000, 2);
    assertKept(Promise.ALWAYS, nothing());
  }

  @Test
  void takesItThatEverysecLosesTheLastSecondOnly() {
    KeyWrite safe = acknowledged(100, 1.6);
    KeyWrite first = acknowledged(200, 1.4);
    acknowledged(300, 0.1);
    acknowledged(400, -0.1); // what was answered was read after the kill
    assertThat(assertKept(Promise.EVERYSEC, found(safe)).lost()).hasSize(3);
    assertThat(assertKept(Promise.EVERYSEC, found(first)).lost()).hasSize(2);
    assertBroken(Promise.EVERYSEC, nothing(), Kind.LOST);
    assertBroken(Promise.ALWAYS, found(first), Kind.OLDER);
  }

  @Test
  void countsNoDeleteAsLostOfWhichNothingIsToBeSeen() {
    acknowledged(100, 2);
    acknowledged(KeyWrite.DELETE, 1.8);
    acknowledged(100, 0.3);
    acknowledged(KeyWrite.DELETE, 0.2);
    assertThat(assertKept(Promise.EVERYSEC, nothing()).lost()).isEmpty();
  }

  @Test
  void takesWhatWasFoundForTheTruthOfTheNextRound() {
    KeyWrite lost = key.begin(100, 0, 1, SENT_MILLIS);
    KeyWrite kept = key.begin(100, 0, 2, SENT_MILLIS);
    assertThat(assertKept(Promise.ALWAYS, found(kept)).state()).isSameAs(kept);
    key.settle(kept);
    assertBroken(Promise.EVERYSEC, nothing(), Kind.LOST);
    assertBroken(Promise.EVERYSEC, found(lost), Kind.OLDER);
    assertKept(Promise.EVERYSEC, found(kept));
  }

  @Test
  void tellsWhatWasWrittenAndWhatBecameOfIt() {
    KeyWrite older = acknowledged(100, 2);
    acknowledged(KeyWrite.DELETE, 1.75);
    key.begin(300, 9_000, 3, SENT_MILLIS);
    assertThat(judge(Promise.ALWAYS, found(older)).toString())
        .contains("found: write 1 of key 5")
        .contains("write 1 SET 100 B: acknowledged 2.000 s before the first kill")
        .contains("write 2 DEL: acknowledged 1.750 s before the first kill")
        .contains("write 3 SET 300 B PX 9000: not answered");
  }

  private KeyWrite acknowledged(int valueBytes, double secondsBeforeKill) {
    return acknowledged(valueBytes, 0, secondsBeforeKill);
  }

  private KeyWrite acknowledged(int valueBytes, long ttlMillis, double secondsBeforeKill) {
    KeyWrite write = key.begin(valueBytes, ttlMillis, 1, SENT_MILLIS);
    write.acknowledge(KILL - (long) (secondsBeforeKill * SECOND), SENT_MILLIS + 1);
    return write;
  }

  private Judgement.Kept assertKept(Promise promise, Found found) {
    Judgement judgement = judge(promise, found);
    assertThat(judgement).isInstanceOf(Judgement.Kept.class);
    return (Judgement.Kept) judgement;
  }

  private void assertBroken(Promise promise, Found found, Kind kind) {
    assertThat(judge(promise, found))
        .isInstanceOfSatisfying(
            Judgement.Broken.class,
            broken -> assertThat(broken.violation().kind()).isEqualTo(kind));
  }

  private Judgement judge(Promise promise, Found found) {
    Kills kills = new Kills(promise, SECOND / 2, 1, 1);
    kills.add(0, KILL);
    return new Judge(kills, SALT).judge(key, found);
  }

  private byte[] bytes(KeyWrite write) {
    return new StampedValue(key.number(), write.sequence, write.valueBytes).bytes(SALT);
  }

  private Found found(KeyWrite write) {
    return found(bytes(write), Found.FOR_EVER);
  }

  private static Found found(byte[] value, long ttlMillis) {
    return new Found(value, ttlMillis, FOUND_MILLIS, FOUND_MILLIS + 1);
  }

  private static Found nothing() {
    return new Found(null, Found.NOT_THERE, FOUND_MILLIS, FOUND_MILLIS + 1);
  }
}
