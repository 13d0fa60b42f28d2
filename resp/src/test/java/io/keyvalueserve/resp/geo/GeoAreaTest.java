package io.keyvalueserve.resp.geo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Areas beside all positions: the ranges of scores have every position in the area. */
class GeoAreaTest {
  private static final int ROUNDS = 20_000;

  @Test
  void theRangesCoverTheArea() {
    Random random = new Random(3);
    int inside = 0;
    for (int round = 0; round < ROUNDS; round++) {
      GeoPosition center =
          new GeoPosition(340 * random.nextDouble() - 170, random.nextInt(-65, 66));
      double kilometers = Math.pow(10, 4 * random.nextDouble() - 1) / 2;
      GeoArea area =
          random.nextBoolean()
              ? GeoArea.circle(center, kilometers, 1000)
              : GeoArea.box(center, kilometers, kilometers * random.nextDouble(), 1000);
      double degrees = GeoPosition.degrees(1500 * kilometers);
      double longitude = center.longitude() + degrees * (2 * random.nextDouble() - 1);
      double latitude = center.latitude() + degrees * (2 * random.nextDouble() - 1);
      if (!GeoPosition.isValid(longitude, latitude)) {
        continue;
      }
      double score = new GeoPosition(longitude, latitude).score();
      GeoPosition position = GeoPosition.ofScore(score);
      double meters = area.metersIfWithin(position);
      if (!Double.isNaN(meters)) {
        inside++;
        assertThat(meters).isEqualTo(center.metersTo(position));
        assertThat(area.ranges())
            .as("%s %s", area, position)
            .anyMatch(range -> range.contains(score));
      }
    }
    assertThat(inside).isGreaterThan(ROUNDS / 5);
  }

  @Test
  void theRangesAreFewAndDifferent() {
    Random random = new Random(4);
    for (int round = 0; round < ROUNDS; round++) {
      double size = Math.pow(10, 12 * random.nextDouble() - 3);
      List<ScoreRange> ranges = GeoArea.circle(GeoPositionTest.random(random), size, 1).ranges();
      assertThat(ranges).hasSizeBetween(1, 9);
      assertThat(new HashSet<>(ranges)).hasSameSizeAs(ranges);
    }
  }

  @Test
  void takesSizesWithoutBounds() {
    for (double size : new double[] {0, Double.MIN_VALUE, 1e300, Double.POSITIVE_INFINITY}) {
      for (GeoPosition center :
          List.of(
              new GeoPosition(0, 0),
              new GeoPosition(180, GeoPosition.MOST_LATITUDE),
              new GeoPosition(-180, -GeoPosition.MOST_LATITUDE))) {
        for (double unit : new double[] {1, 1609.34}) {
          for (GeoArea area :
              List.of(
                  GeoArea.circle(center, size, unit),
                  GeoArea.box(center, size, size, unit),
                  GeoArea.box(center, 0, size, unit))) {
            assertThat(area.ranges()).as("%s", area).hasSizeBetween(1, 9);
            assertThat(area.metersIfWithin(center)).as("%s", area).isZero();
          }
        }
      }
    }
    GeoArea everything = GeoArea.circle(new GeoPosition(10, 10), Double.POSITIVE_INFINITY, 1);
    GeoPosition far = new GeoPosition(-170, -10);
    assertThat(everything.metersIfWithin(far)).isGreaterThan(1.9e7);
    assertThat(everything.ranges()).anyMatch(range -> range.contains(far.score()));
  }

  @Test
  void leavesOutWhatIsBeyond() {
    GeoPosition center = new GeoPosition(13, 38);
    GeoPosition near = new GeoPosition(13.5, 38);
    assertThat(GeoArea.circle(center, 40, 1000).metersIfWithin(near)).isNaN();
    assertThat(GeoArea.circle(center, 50, 1000).metersIfWithin(near)).isBetween(40_000.0, 50_000.0);
    assertThat(GeoArea.box(center, 80, 1, 1000).metersIfWithin(near)).isNaN();
    assertThat(GeoArea.box(center, 100, 1, 1000).metersIfWithin(near)).isPositive();
  }
}
