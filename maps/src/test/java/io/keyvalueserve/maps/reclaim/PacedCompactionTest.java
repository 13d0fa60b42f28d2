package io.keyvalueserve.maps.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PacedCompactionTest {
  private static final int CAPACITY = 6_400;

  private long nanos;
  private long came;
  private final PacedCompaction compaction =
      new PacedCompaction(
          () -> {
            nanos += 1_000;
            return came;
          },
          CAPACITY,
          () -> nanos);

  @Test
  void littleThatIsScatteredIsLeftAlone() {
    came = 50;
    assertThat(compaction.runIfWorthIt(100)).isFalse();
    assertThat(compaction.runIfWorthIt(101)).isTrue();
    assertThat(compaction.runs()).isEqualTo(1);
    assertThat(compaction.gatheredBytes()).isEqualTo(50);
  }

  @Test
  void restsAsLongAsTheLastOneTook() {
    came = 1;
    assertThat(compaction.runIfWorthIt(500)).isTrue();
    assertThat(compaction.runIfWorthIt(5_000)).isFalse();
    nanos += 999;
    assertThat(compaction.runIfWorthIt(5_000)).isFalse();
    nanos++;
    assertThat(compaction.runIfWorthIt(500)).isTrue();
  }

  @Test
  void whatBroughtNothingIsTriedAgainWhenMoreIsScatteredOrLater() {
    assertThat(compaction.runIfWorthIt(500)).isFalse();
    nanos += 1_000;
    assertThat(compaction.runIfWorthIt(600)).isFalse();
    assertThat(compaction.runs()).isEqualTo(1);
    assertThat(compaction.mayHelp(600)).isFalse();
    came = 7;
    assertThat(compaction.runIfWorthIt(601)).isTrue();
    assertThat(compaction.mayHelp(601)).isTrue();
    assertThat(compaction.mayHelp(100)).isFalse();

    came = 0;
    nanos += 1_000;
    assertThat(compaction.runIfWorthIt(500)).isFalse();
    came = 7;
    nanos += 19_999;
    assertThat(compaction.runIfWorthIt(500)).isFalse();
    nanos++;
    assertThat(compaction.runIfWorthIt(500)).isTrue();
  }

  @Test
  void nothingHelpsBeforeTheFirst() {
    assertThat(compaction.mayHelp(CAPACITY)).isFalse();
  }
}
