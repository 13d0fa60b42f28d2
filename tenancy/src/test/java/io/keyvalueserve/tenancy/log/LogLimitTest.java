package io.keyvalueserve.tenancy.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogLimitTest {
  private final AtomicLong clock = new AtomicLong();
  private final LogLimit limit = new LogLimit(2, Duration.ofSeconds(60), clock::get);

  @Test
  void allowsSoManyLinesInAnIntervalAndCountsTheOthers() {
    assertThat(limit.take()).isZero();
    assertThat(limit.take()).isZero();
    for (int i = 0; i < 1000; i++) {
      assertThat(limit.take()).isEqualTo(-1);
    }
    clock.set(Duration.ofSeconds(59).toNanos());
    assertThat(limit.take()).isEqualTo(-1);
    clock.set(Duration.ofSeconds(60).toNanos());
    assertThat(limit.take()).isEqualTo(1001);
    assertThat(limit.take()).isZero();
    assertThat(limit.take()).isEqualTo(-1);
  }
}
