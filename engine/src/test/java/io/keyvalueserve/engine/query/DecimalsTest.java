package io.keyvalueserve.engine.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** Numbers with huge exponents are told from others, and cost nothing. */
class DecimalsTest {
  @Test
  void refusesHugeExponentsOnly() {
    assertThat(Decimals.bounded(new BigDecimal("1e1000"))).isEqualByComparingTo("1e1000");
    assertThat(Decimals.text(new BigDecimal("1.50e3"))).isEqualTo("1500");
    for (String huge : new String[] {"1e1001", "1e-1001", "1e2000000000", "1e-2000000000"}) {
      assertThatThrownBy(() -> Decimals.bounded(new BigDecimal(huge)))
          .isInstanceOf(NumberFormatException.class)
          .hasMessageContaining("exponent");
      assertThat(Decimals.text(new BigDecimal(huge))).hasSizeLessThan(20);
    }
  }
}
