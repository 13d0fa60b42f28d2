package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Goal: those that took longest are remembered, and no others. Method: sorting all of them. */
class SlowestTest {
  @Test
  void remembersThoseThatTookLongest() {
    SplittableRandom random = new SplittableRandom(7);
    List<SlowRequest> all = new ArrayList<>();
    List<Slowest> parts = List.of(new Slowest(25), new Slowest(25), new Slowest(25));
    for (int i = 0; i < 1000; i++) {
      // Negative times are as good as others: System.nanoTime() may begin anywhere.
      long due = Long.MAX_VALUE - 500 + i;
      SlowRequest one = new SlowRequest(due, due, due + random.nextLong(1_000_000_000));
      all.add(one);
      parts.get(random.nextInt(3)).add(one.due(), one.sent(), one.answered());
    }
    Slowest together = new Slowest(25);
    parts.forEach(together::addAll);
    all.sort(SlowRequest.BY_LATENCY.reversed());
    assertThat(together.list()).isEqualTo(all.subList(0, 25));
  }

  @Test
  void remembersNoneWhereNoneIsAskedFor() {
    Slowest none = new Slowest(0);
    none.add(0, 1, 2);
    assertThat(none.list()).isEmpty();
  }
}
