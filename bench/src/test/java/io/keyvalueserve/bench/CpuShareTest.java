package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CpuShareTest {
  private static final long MILLI = 1_000_000;

  private long cpu;
  private long time;
  private final CpuShare share = new CpuShare(0.25, () -> cpu, () -> time);

  @Test
  void restsAsLongAsWhatWasUsedIsTooMuch() {
    pass(4, 1);
    assertThat(share.restNanos()).isZero();
    pass(4, 4);
    assertThat(share.restNanos()).isEqualTo(12 * MILLI);
    pass(12, 0);
    assertThat(share.restNanos()).isZero();
  }

  @Test
  void savesLittleOfWhatItDoesNotUse() {
    pass(10_000, 0);
    assertThat(share.restNanos()).isZero();
    pass(0, 20);
    assertThat(share.restNanos()).isZero();
    pass(0, 1);
    assertThat(share.restNanos()).isEqualTo(4 * MILLI);
  }

  private void pass(long millis, long cpuMillis) {
    time += millis * MILLI;
    cpu += cpuMillis * MILLI;
  }
}
