package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExpiryTimesTest {
  private final ExpiryTimes times = new ExpiryTimes(3);

  @Test
  void nothingExpiresAtFirst() {
    assertThat(times.of(0)).isEqualTo(ExpiryTimes.NEVER);
    assertThat(times.of(2)).isEqualTo(ExpiryTimes.NEVER);
  }

  @Test
  void theEarliestOfAPartitionsMapsCounts() {
    times.note(1, 500);
    times.note(1, 300);
    times.note(1, 400);
    assertThat(times.of(1)).isEqualTo(300);
    assertThat(times.of(0)).as("another partition").isEqualTo(ExpiryTimes.NEVER);
  }

  /** After a round of removing, the time of the next one is set. */
  @Test
  void aTimeIsReplacedByALaterOne() {
    times.note(1, 300);
    times.set(1, ExpiryTimes.NEVER);
    assertThat(times.of(1)).isEqualTo(ExpiryTimes.NEVER);
    times.note(1, 700);
    assertThat(times.of(1)).isEqualTo(700);
  }
}
