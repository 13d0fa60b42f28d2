package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Draws a million numbers and looks at how often each came. */
class KeysTest {
  private static final int COUNT = 1000;
  private static final int DRAWS = 1_000_000;

  @Test
  void zipfianAsksForTheRankInProportionToItsPower() {
    int[] drawn = sorted(draw(Keys.of(Mix.of("a"), COUNT), 1));
    double sum = Zipfian.sum(COUNT);
    assertThat(drawn[0] / (double) DRAWS).isCloseTo(1 / sum, within(0.005));
    assertThat(drawn[1] / (double) DRAWS)
        .isCloseTo(1 / Math.pow(2, Zipfian.EXPONENT) / sum, within(0.005));
    int tenth = IntStream.of(drawn).limit(COUNT / 10).sum();
    assertThat(tenth / (double) DRAWS).isCloseTo(Zipfian.sum(COUNT / 10) / sum, within(0.02));
    assertThat(drawn[COUNT - 1]).as("the rarest").isPositive();
  }

  @Test
  void zipfianSpreadsFavouritesAndAllClientsLikeTheSame() {
    int[] one = draw(Keys.of(Mix.of("c"), COUNT), 1);
    int[] other = draw(Keys.of(Mix.of("c"), COUNT), 2);
    assertThat(favourite(one)).isEqualTo(favourite(other)).isNotZero();
    assertThat(IntStream.of(one).limit(COUNT / 2).sum() / (double) DRAWS).isBetween(0.1, 0.9);
  }

  @Test
  void uniformAsksForAllAlike() {
    int[] drawn = sorted(draw(Keys.of(Mix.of("get"), COUNT), 1));
    assertThat(drawn[0]).isLessThan(DRAWS / COUNT * 5 / 4);
    assertThat(drawn[COUNT - 1]).isGreaterThan(DRAWS / COUNT * 3 / 4);
  }

  @Test
  void shufflesEveryNumberOnce() {
    assertThat(Keys.shuffled(COUNT, 7))
        .containsExactlyInAnyOrder(IntStream.range(0, COUNT).toArray());
  }

  private static int[] draw(Keys keys, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] drawn = new int[COUNT];
    for (int i = 0; i < DRAWS; i++) {
      drawn[keys.next(random)]++;
    }
    return drawn;
  }

  /** Most often drawn first. */
  private static int[] sorted(int[] drawn) {
    int[] ascending = drawn.clone();
    Arrays.sort(ascending);
    return IntStream.range(0, COUNT).map(i -> ascending[COUNT - 1 - i]).toArray();
  }

  private static int favourite(int[] drawn) {
    return IntStream.range(0, COUNT).reduce((a, b) -> drawn[a] >= drawn[b] ? a : b).orElseThrow();
  }
}
