package io.keyvalueserve.gates.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FailureAllowanceTest {
  private long now = Long.MAX_VALUE - 5; // the clock may wrap around
  private final FailureAllowance allowance = new FailureAllowance(() -> now);

  @Test
  void whatIsGivenBackCountsForNothing() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(allowance.take("acme")).isZero();
      allowance.giveBack("acme");
    }
    assertThat(allowance.kept()).isZero();
    for (int i = 0; i < 20; i++) {
      assertThat(allowance.take("acme")).isZero();
    }
    assertThat(allowance.take("acme")).isEqualTo(500);
    allowance.giveBack("acme");
    assertThat(allowance.take("acme")).isZero();
    assertThat(allowance.take("acme")).isEqualTo(500);
  }

  @Test
  void whatIsGivenBackLateMakesNoMoreThanThereWas() {
    assertThat(allowance.take("acme")).isZero();
    now += TimeUnit.SECONDS.toNanos(60);
    allowance.giveBack("acme");
    allowance.giveBack("acme");
    for (int i = 0; i < 20; i++) {
      assertThat(allowance.take("acme")).isZero();
    }
    assertThat(allowance.take("acme")).isPositive();
  }
}
