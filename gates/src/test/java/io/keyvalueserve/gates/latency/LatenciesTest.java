package io.keyvalueserve.gates.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  private static final Percentage ERROR = Percentage.withPercentage(6.25);

  @Provide
  Arbitrary<List<Long>> times() {
    // As many short ones as long ones: each power of two is as likely as any other.
    return Arbitraries.integers()
        .between(10, 35)
        .flatMap(exponent -> Arbitraries.longs().between(1L << exponent, (2L << exponent) - 1))
        .list()
        .ofMinSize(1)
        .ofMaxSize(200);
  }

  static Latencies of(List<Long> times) {
    LatencyMeter meter = new LatencyMeter(new LaneNumbers(2));
    times.forEach(time -> meter.lane().record(time, 1));
    return meter.latencies();
  }

  @Property(tries = 300)
  void percentilesAreThoseOfTheSortedTimes(@ForAll("times") List<Long> times) {
    Latencies latencies = of(times);
    List<Long> sorted = times.stream().sorted().toList();
    for (double part : new double[] {0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1}) {
      int rank = (int) Math.ceil(part * sorted.size());
      assertThat((double) latencies.percentileNanos(part))
          .as("percentile %s", part)
          .isCloseTo(sorted.get(rank - 1), ERROR);
    }
    assertThat((double) latencies.mostNanos()).isCloseTo(sorted.getLast(), ERROR);
    assertThat(latencies.count()).isEqualTo(times.size());
    assertThat(latencies.sumNanos()).isEqualTo(times.stream().mapToLong(Long::longValue).sum());
  }

  @Property(tries = 200)
  void mergingIsTheSameAsRecordingAllInOne(
      @ForAll("times") List<Long> here, @ForAll("times") List<Long> there) {
    List<Long> all = new ArrayList<>(here);
    all.addAll(there);

    Latencies merged = of(here).plus(of(there));

    assertThat(merged).isEqualTo(of(all));
    assertThat(merged.since(of(here))).isEqualTo(of(there));
  }

  @Property(tries = 200)
  void whatMembersTellEachOtherIsReadAsItWas(@ForAll("times") List<Long> times) {
    assertThat(Latencies.decode(of(times).encode())).isEqualTo(of(times));
  }

  @Property(tries = 200)
  void countsBelowBoundsAreExact(@ForAll("times") List<Long> times) {
    long[] bounds = Latencies.bounds();
    long[] expected =
        Arrays.stream(bounds)
            .map(bound -> times.stream().filter(time -> time < bound).count())
            .toArray();

    assertThat(of(times).below()).containsExactly(expected);
  }

  @Property(tries = 1000)
  void everyTimeIsInTheBucketThatItsBoundsSay(@ForAll long nanos) {
    int bucket = Buckets.of(nanos);

    assertThat(bucket).isBetween(0, Buckets.COUNT - 1);
    assertThat(Buckets.begin(bucket)).isLessThanOrEqualTo(Math.max(0, nanos));
    if (bucket < Buckets.COUNT - 1) {
      assertThat(Buckets.begin(bucket + 1)).isGreaterThan(nanos);
    }
  }

  @Test
  void bucketsFollowEachOtherWithoutAGap() {
    for (int bucket = 1; bucket < Buckets.COUNT; bucket++) {
      assertThat(Buckets.of(Buckets.begin(bucket))).isEqualTo(bucket);
      assertThat(Buckets.of(Buckets.begin(bucket) - 1)).isEqualTo(bucket - 1);
    }
    assertThat(Buckets.begin(1)).isEqualTo(1_024);
    assertThat(Buckets.begin(Buckets.COUNT - 1)).isEqualTo(Buckets.MOST_NANOS);
  }

  @Test
  void takesWhatIsBeyondTheRangeForItsEnd() {
    assertThat(of(List.of(Long.MIN_VALUE, -1L, 0L, 1L)).percentileNanos(1)).isEqualTo(512);
    assertThat(of(List.of(Long.MAX_VALUE)).percentileNanos(1)).isEqualTo(Buckets.MOST_NANOS);
    assertThat(of(List.of(90_000_000_000L)).mostNanos() / 1e9).isCloseTo(68.7, within(0.1));
  }

  @Test
  void weighsABatchByItsRequests() {
    LatencyMeter meter = new LatencyMeter(new LaneNumbers(2));
    meter.lane().record(1_000_000, 98);
    meter.lane().record(50_000_000, 2);
    meter.lane().record(9_000_000_000L, 0);

    Latencies latencies = meter.latencies();

    assertThat(latencies.count()).isEqualTo(100);
    assertThat((double) latencies.percentileNanos(0.98)).isCloseTo(1e6, ERROR);
    assertThat((double) latencies.percentileNanos(0.99)).isCloseTo(50e6, ERROR);
    assertThat(latencies.sumNanos()).isEqualTo(198_000_000);
  }

  @Test
  void hasNothingToSayOfNoRequests() {
    assertThat(Latencies.NONE.percentileNanos(0.99)).isZero();
    assertThat(Latencies.NONE.mostNanos()).isZero();
    assertThat(Latencies.NONE.below()).containsOnly(0);
    assertThat(Latencies.decode(Latencies.NONE.encode())).isEqualTo(Latencies.NONE);
    assertThatThrownBy(() -> Latencies.NONE.percentileNanos(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesWhatIsNoHistogram() {
    for (String text :
        List.of("x", "1", "1,x", "-1,0,1", "1,-1,1", "1,0,-1", "1,210,1", "1,209,1,1", "1,,1")) {
      assertThatThrownBy(() -> Latencies.decode(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(Latencies.decode("1,209,1").mostNanos()).isEqualTo(Buckets.MOST_NANOS);
  }
}
