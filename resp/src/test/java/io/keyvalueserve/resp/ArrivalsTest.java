package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.gates.latency.LaneNumbers;
import io.keyvalueserve.gates.latency.LatencyMeter;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private static final int STEPS = 20_000;

  private final Arrivals arrivals = new Arrivals();
  private final LatencyMeter meter = new LatencyMeter(new LaneNumbers(2));

  @Test
  void recordsEachRequestFromItsOwnReadOnInOrder() {
    Random random = new Random(Long.getLong("kvs.seed", 11));
    ArrayDeque<Long> model = new ArrayDeque<>();
    long now = -5_000_000_000L;
    long sum = 0;
    long taken = 0;
    for (int step = 0; step < STEPS; step++) {
      now += random.nextInt(3) * 1_000_000L;
      boolean isBurst = step % 1_000 < 100; // many reads wait: the ring grows and wraps
      if (isBurst || random.nextBoolean()) {
        int requests = random.nextInt(4);
        arrivals.add(now, requests);
        for (int i = 0; i < requests; i++) {
          model.add(now);
        }
      } else {
        int requests = random.nextInt(6);
        arrivals.take(requests, now, meter.lane());
        for (int i = 0; i < requests && !model.isEmpty(); i++) {
          sum += Math.max(1, now - model.remove());
          taken++;
        }
        if (random.nextInt(10) == 0) {
          arrivals.trim();
        }
      }
      assertThat(arrivals.size()).isEqualTo(model.size());
      assertThat(meter.latencies().sumNanos()).isEqualTo(sum);
    }
    assertThat(meter.latencies().count()).isEqualTo(taken).isGreaterThan(STEPS / 4);
  }

  @Test
  void recordsNothingOfAConnectionThatSpeaksForNobody() {
    arrivals.add(1, 3);
    arrivals.take(3, 2, null);
    assertThat(arrivals.size()).isZero();
    arrivals.take(1, 2, meter.lane());
    assertThat(meter.latencies().count()).isZero();
  }
}
