package io.keyvalueserve.tenancy.log;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureLinesTest {
  private final FailureLines lines = new FailureLines();

  private static RuntimeException failure(String why) {
    return new IllegalStateException(why);
  }

  @Test
  void aKindOfFailureHasOneLineAMinuteAndAStackTraceWithTheFirst() {
    assertThat(lines.take(failure("why")))
        .isEqualTo(new FailureLines.Line(true, "java.lang.IllegalStateException: why"));
    for (int i = 0; i < 1_000; i++) {
      assertThat(lines.take(failure("why " + i))).isNull();
    }
    assertThat(lines.take(new IllegalArgumentException("of another kind"))).isNotNull();
    assertThat(lines.take(new IllegalStateException("from elsewhere"))).isNotNull();
  }

  @Test
  void aLineIsShortHoweverLongTheMessageIs() {
    FailureLines.Line line = requireNonNull(lines.take(failure("x".repeat(100_000))));
    assertThat(line.text()).hasSizeLessThan(600);
  }
}
