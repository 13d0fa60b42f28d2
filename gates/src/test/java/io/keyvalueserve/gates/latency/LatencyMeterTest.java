package io.keyvalueserve.gates.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyMeterTest {
  private static final int THREADS = 6;
  private static final int RECORDS = 50_000;

  private final LatencyMeter meter = new LatencyMeter(new LaneNumbers(2));

  @Test
  void losesNothingThatThreadsRecordAtTheSameTime() throws InterruptedException {
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Runnable work =
          () -> {
            await(begin);
            LatencyLane lane = meter.lane();
            for (int n = 0; n < RECORDS; n++) {
              lane.record(1_000L << (n % 20), 2);
            }
          };
      // Two lanes: some of these threads share one.
      threads.add(i % 2 == 0 ? Thread.ofPlatform().start(work) : Thread.ofVirtual().start(work));
    }
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }

    Latencies latencies = meter.latencies();

    assertThat(latencies.count()).isEqualTo(2L * THREADS * RECORDS);
    assertThat(latencies.sumNanos())
        .isEqualTo(2L * THREADS * (RECORDS / 20) * 1_000 * ((1L << 20) - 1));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 4", "4, 4", "5, 8", "64, 64", "65, 64", "1024, 64"})
  void hasALaneForEachProcessorUpToALimit(int processors, int lanes) {
    assertThat(new LaneNumbers(processors).count()).isEqualTo(lanes);
  }

  @Test
  void keepsAThreadInItsLane() throws InterruptedException {
    LatencyLane own = meter.lane();
    AtomicReference<LatencyLane> others = new AtomicReference<>();

    Thread.ofPlatform().start(() -> others.set(meter.lane())).join();

    assertThat(meter.lane()).isSameAs(own);
    assertThat(others.get()).isNotSameAs(own);
  }

  @Test
  void seesTheLastTenLooks() {
    LatencyWindow<String> window = new LatencyWindow<>();
    Map<String, LatencyMeter> meters = Map.of("acme", meter);
    meter.lane().record(1_000_000, 5);
    window.look(meters);
    assertThat(window.of("acme").count()).isEqualTo(5);

    meter.lane().record(64_000_000, 7);
    window.look(meters);
    assertThat(window.of("acme").count()).isEqualTo(12);

    for (int i = 0; i < 8; i++) {
      window.look(meters);
    }
    assertThat(window.of("acme").count()).isEqualTo(12);
    window.look(meters); // the eleventh: the first is forgotten
    assertThat(window.of("acme").count()).isEqualTo(7);
    assertThat(window.of("acme").percentileNanos(0.01)).isGreaterThan(60_000_000);
    window.look(meters);
    assertThat(window.of("acme")).isEqualTo(Latencies.NONE);
  }

  @Test
  void forgetsAMeterThatIsGoneAndBeginsAnewWithItsSuccessor() {
    LatencyWindow<String> window = new LatencyWindow<>();
    meter.lane().record(1_000_000, 5);
    window.look(Map.of("acme", meter));
    window.look(Map.of());
    assertThat(window.of("acme")).isEqualTo(Latencies.NONE);

    LatencyMeter next = new LatencyMeter(new LaneNumbers(2));
    next.lane().record(2_000_000, 1);
    window.look(Map.of("acme", meter));
    window.look(Map.of("acme", next));
    assertThat(next.latencies().count()).isEqualTo(1);
    assertThat(window.of("acme").percentileNanos(1)).isGreaterThan(1_500_000);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
