package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class StampTest {
  @Test
  void staysUntilItMovesOn() {
    Stamp stamp = new Stamp();
    long before = stamp.value();
    assertThat(stamp.value()).isEqualTo(before);
    stamp.moveOn();
    assertThat(stamp.value()).isNotEqualTo(before);
  }

  /** A store that is made anew must not answer as the one before it. */
  @Test
  void hasNumbersOfItsOwn() {
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      Stamp stamp = new Stamp();
      for (int j = 0; j < 10; j++) {
        assertThat(seen.add(stamp.value())).isTrue();
        stamp.moveOn();
      }
    }
  }
}
