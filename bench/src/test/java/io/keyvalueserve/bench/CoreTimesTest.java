package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CoreTimesTest {
  @Test
  void countsWhatIsNotIdle() {
    String stat =
        """
        cpu  9 9 9 9 9 9 9 9 0 0
        cpu0 1 2 3 1000 1000 4 5 6 0 0
        cpu1 10 0 0 1000 1000 0 0 0 0 0
        cpu2 20 0 0 1000 1000 0 0 0 0 0
        intr 1 2 3
        """;
    assertThat(CoreTimes.of(stat, 0)).isEqualTo(new CoreTimes(210_000_000, 300_000_000));
    assertThat(CoreTimes.of(stat, 1)).isEqualTo(new CoreTimes(100_000_000, 410_000_000));
  }
}
