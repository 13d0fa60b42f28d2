package io.keyvalueserve.gates;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.gates.RecentRates.PerSecond;
import org.junit.jupiter.api.Test;

final class RecentRatesTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void tellsTheMeanBetweenTwoLooks() {
    RecentRates rates = new RecentRates(-SECOND);
    assertThat(rates.look(0, 100, 10, 1)).isEqualTo(new PerSecond(100, 10, 1));
    assertThat(rates.look(2 * SECOND, 300, 10, 5)).isEqualTo(new PerSecond(100, 0, 2));
    assertThat(rates.look(2 * SECOND + SECOND / 2, 900, 90, 90))
        .as("too soon to tell")
        .isEqualTo(new PerSecond(100, 0, 2));
    assertThat(rates.look(4 * SECOND, 900, 90, 90)).isEqualTo(new PerSecond(300, 40, 42.5));
    assertThat(rates.look(14 * SECOND, 900, 90, 90)).isEqualTo(new PerSecond(0, 0, 0));
  }
}
