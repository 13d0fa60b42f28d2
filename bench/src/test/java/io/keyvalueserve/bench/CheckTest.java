package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.bench.Violation.Kind;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Goal: what only several keys together show is found. Method: keys of one writer in two partitions
 * (even and odd), killed a tenth of a second after the last write.
 */
class CheckTest {
  private static final long SALT = 42;
  private static final long MILLI = 1_000_000L;
  private static final long KILL = 1_000_000 * MILLI;
  private static final int LARGE = 256 << 10;

  private final List<KeyHistory> keys = IntStream.range(0, 6).mapToObj(KeyHistory::new).toList();
  private final Kills kills = new Kills(Promise.EVERYSEC, 0, 1, 1);
  private final Check check = new Check(keys, kills, SALT, key -> 0, key -> key % 2);
  private long turn;

  CheckTest() {
    kills.add(0, KILL);
  }

  @Test
  void findsAWriteThatIsThereThoughAnEarlierOneOfItsPartitionIsNot() {
    write(0, 100);
    KeyWrite later = write(2, 100);
    gone(0);
    there(2, later);
    assertThat(kinds(Set.of("key:2"))).containsExactly(Kind.REORDERED);
  }

  @Test
  void takesTheBeginningOfEachPartition() {
    KeyWrite earlier = write(0, 100);
    write(2, 100);
    KeyWrite other = write(1, 100);
    there(0, earlier);
    gone(2);
    there(1, other);
    Check.Result result = result(Set.of("key:0", "key:1"));
    assertThat(result.violations()).isEmpty();
    assertThat(result.present()).isEqualTo(2);
    assertThat(result.lost()).isEqualTo(1);
    assertThat(result.oldestLostNanos()).isEqualTo(100 * MILLI);
  }

  @Test
  void takesItThatALargeValueIsMissingAlone() {
    write(0, LARGE);
    KeyWrite later = write(2, 100);
    gone(0);
    there(2, later);
    assertThat(kinds(Set.of("key:2"))).isEmpty();
  }

  @Test
  void takesItThatNothingIsLeftOfALaterWriteWhoseValueWouldHaveExpired() {
    write(0, 100);
    KeyWrite expired = keys.get(2).begin(100, 2_000, ++turn, 1);
    expired.acknowledge(KILL - 100 * MILLI, 2);
    gone(0);
    gone(2);
    assertThat(kinds(Set.of())).isEmpty();
  }

  @Test
  void findsKeysThatAreListedAndNotThere() {
    KeyWrite here = write(0, 100);
    there(0, here);
    gone(1);
    assertThat(kinds(Set.of("key:0", "key:1", "key:77", "other")))
        .containsExactly(Kind.STRAY, Kind.STRAY, Kind.STRAY);
  }

  @Test
  void findsKeysThatAreThereAndNotListed() {
    KeyWrite here = write(0, 100);
    there(0, here);
    assertThat(kinds(Set.of())).containsExactly(Kind.UNLISTED);
  }

  @Test
  void goesOnWithWhatItFound() {
    KeyWrite here = write(0, 100);
    write(1, 100);
    there(0, here);
    gone(1);
    assertThat(keys.get(0).base()).isSameAs(here);
    assertThat(keys.get(0).writes()).isEmpty();
    assertThat(keys.get(1).base().isDelete()).isTrue();
  }

  private KeyWrite write(int key, int valueBytes) {
    KeyWrite write = keys.get(key).begin(valueBytes, 0, ++turn, 1);
    write.acknowledge(KILL - 100 * MILLI, 2);
    return write;
  }

  private void there(int key, KeyWrite write) {
    byte[] value = new StampedValue(key, write.sequence, write.valueBytes).bytes(SALT);
    check.take(keys.get(key), new Found(value, Found.FOR_EVER, 5_000, 5_001));
  }

  private void gone(int key) {
    check.take(keys.get(key), new Found(null, Found.NOT_THERE, 5_000, 5_001));
  }

  private List<Kind> kinds(Set<String> listed) {
    return result(listed).violations().stream().map(Violation::kind).toList();
  }

  private Check.Result result(Set<String> listed) {
    return check.result(listed, 0);
  }
}
