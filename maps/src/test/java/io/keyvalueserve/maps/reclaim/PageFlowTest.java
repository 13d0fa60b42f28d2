package io.keyvalueserve.maps.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageFlowTest {
  private static final long MILLIS = 1_000_000;

  private long now = 5;
  private final PageFlow flow = new PageFlow(() -> now);

  private long look(long afterMillis, long free) {
    now += afterMillis * MILLIS;
    return flow.look(free);
  }

  @Test
  void expectsAsMuchAsWasUsedOfLate() {
    assertThat(look(10, 10_000)).isZero();
    assertThat(look(10, 9_000)).isEqualTo(12_000);
    assertThat(look(20, 5_000)).isEqualTo(24_000);
  }

  @Test
  void forgetsARushSlowly() {
    assertThat(look(10, 10_000)).isZero();
    long rush = look(10, 0);
    assertThat(rush).isEqualTo(120_000);
    long later = look(10, 0);
    assertThat(later).isBetween(rush / 2, rush - 1);
    for (int i = 0; i < 200; i++) {
      later = look(10, 0);
    }
    assertThat(later).isLessThan(200);
  }

  @Test
  void whatComesFreeIsNoUse() {
    assertThat(look(10, 1_000)).isZero();
    assertThat(look(10, 9_000)).isZero();
  }

  @Test
  void looksInQuickSuccessionAreOne() {
    assertThat(look(10, 10_000)).isZero();
    now += 10;
    assertThat(flow.look(9_000)).isZero();
    assertThat(look(10, 9_000)).isBetween(11_900L, 12_000L);
  }
}
