package io.keyvalueserve.resp.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Positions beside what is known of them, and beside a geohash that is made bit by bit. */
class GeoPositionTest {
  private static final GeoPosition PALERMO = new GeoPosition(13.361389, 38.115556);
  private static final GeoPosition CATANIA = new GeoPosition(15.087269, 37.502669);

  @Test
  void hasTheScoresAndGeohashesOfTheDocumentation() {
    assertThat(PALERMO.score()).isEqualTo(3479099956230698.0);
    assertThat(CATANIA.score()).isEqualTo(3479447370796909.0);
    assertThat(GeoPosition.ofScore(3479099956230698.0).geohash()).isEqualTo("sqc8b49rny0");
    assertThat(GeoPosition.ofScore(3479447370796909.0).geohash()).isEqualTo("sqdtr74hyu0");
  }

  @Test
  void measuresTheDistanceOfTheDocumentation() {
    GeoPosition palermo = GeoPosition.ofScore(PALERMO.score());
    GeoPosition catania = GeoPosition.ofScore(CATANIA.score());
    assertThat(palermo.metersTo(catania)).isCloseTo(166274.1516, within(0.00005));
    assertThat(palermo.metersTo(palermo)).isZero();
    assertThat(new GeoPosition(0, 0).metersTo(new GeoPosition(180, 0)))
        .isCloseTo(20020741.0, within(100.0));
    assertThat(new GeoPosition(7, -10).metersTo(new GeoPosition(7, 10)))
        .isEqualTo(new GeoPosition(7, -10).metersNorth(10));
  }

  @Test
  void interleavesAsOneBitAfterTheOther() {
    Random random = new Random(1);
    for (int round = 0; round < 1000; round++) {
      long even = random.nextInt() & 0xFFFFFFFFL;
      long odd = random.nextInt() & 0xFFFFFFFFL;
      long bits = 0;
      for (int i = 0; i < 32; i++) {
        bits |= ((even >>> i) & 1) << (2 * i);
        bits |= ((odd >>> i) & 1) << (2 * i + 1);
      }
      assertThat(Interleaving.of(even, odd)).isEqualTo(bits);
      assertThat(Interleaving.even(bits)).isEqualTo(even);
      assertThat(Interleaving.odd(bits)).isEqualTo(odd);
    }
  }

  @Test
  void halvesTheRangesInTurns() {
    Random random = new Random(2);
    for (int round = 0; round < 1000; round++) {
      GeoPosition position = random(random);
      double[] longitudes = {-180, 180};
      double[] latitudes = {-GeoPosition.MOST_LATITUDE, GeoPosition.MOST_LATITUDE};
      long bits = 0;
      for (int i = 0; i < 2 * GeoPosition.STEPS; i++) {
        double[] range = i % 2 == 0 ? longitudes : latitudes;
        double value = i % 2 == 0 ? position.longitude() : position.latitude();
        double middle = (range[0] + range[1]) / 2;
        boolean upper = value >= middle;
        range[upper ? 0 : 1] = middle;
        bits = bits << 1 | (upper ? 1 : 0);
      }
      assertThat(position.score()).as("%s", position).isCloseTo((double) bits, within(8.0));
      GeoPosition decoded = GeoPosition.ofScore(position.score());
      assertThat(decoded.longitude()).isCloseTo(position.longitude(), within(360.0 / (1 << 26)));
      assertThat(decoded.latitude()).isCloseTo(position.latitude(), within(171.0 / (1 << 26)));
      assertThat(decoded.metersTo(position)).isLessThan(1);
    }
  }

  @Test
  void holdsTheEdgesOfTheRanges() {
    GeoPosition corner = new GeoPosition(180, GeoPosition.MOST_LATITUDE);
    assertThat(GeoPosition.ofScore(corner.score())).isEqualTo(corner);
    assertThat(new GeoPosition(-180, -GeoPosition.MOST_LATITUDE).score()).isZero();
    assertThat(GeoPosition.isValid(180, 85.05112878)).isTrue();
    assertThat(GeoPosition.isValid(-180, -85.05112878)).isTrue();
    assertThat(GeoPosition.isValid(180.0000001, 0)).isFalse();
    assertThat(GeoPosition.isValid(0, 85.0511288)).isFalse();
    assertThat(GeoPosition.isValid(Double.NaN, 0)).isFalse();
    assertThat(GeoPosition.isValid(0, Double.NaN)).isFalse();
    assertThat(GeoPosition.isValid(Double.NEGATIVE_INFINITY, 0)).isFalse();
  }

  @Test
  void takesScoresThatAreNoGeohashes() {
    for (double score :
        new double[] {
          -1,
          0.5,
          0x1p53,
          0x1p62,
          0x1p63,
          0x1.8p63,
          0x1p64,
          Double.MAX_VALUE,
          -Double.MAX_VALUE,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY
        }) {
      GeoPosition position = GeoPosition.ofScore(score);
      assertThat(GeoPosition.isValid(position.longitude(), position.latitude()))
          .as("%s of %s", position, score)
          .isTrue();
      assertThat(position.geohash()).hasSize(11);
    }
  }

  static GeoPosition random(Random random) {
    return new GeoPosition(
        360 * random.nextDouble() - 180, (2 * random.nextDouble() - 1) * GeoPosition.MOST_LATITUDE);
  }
}
