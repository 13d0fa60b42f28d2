package io.keyvalueserve.resp.geo;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The area of a search: a circle, or a box whose sides lie along parallels and meridians.
 *
 * <p>A search looks at the cell of the center and at its eight neighbours, whose size follows from
 * that of the area, and leaves out those that the area does not reach. The method is that of ardb
 * (github.com/yinqiwen/ardb, {@code geohash_helper.cpp}), from which Redis has it. The order of the
 * cells and the size are those of Redis, because the order of answers follows from them. Immutable,
 * so safe for use by many threads.
 */
public final class GeoArea {
  private static final double HALF_MERCATOR_METERS = 20037726.37;

  /** Cells are wider than they look beyond these latitudes, in degrees. */
  private static final double FAR = 66;

  private static final double FARTHEST = 80;

  private final GeoPosition center;
  private final boolean isBox;
  private final double width;
  private final double height;
  private final double unitMeters;

  private GeoArea(
      GeoPosition center, boolean isBox, double width, double height, double unitMeters) {
    this.center = center;
    this.isBox = isBox;
    this.width = width;
    this.height = height;
    this.unitMeters = unitMeters;
  }

  /**
   * Returns a circle.
   *
   * @param radius 0 or more, infinite included
   * @param unitMeters the unit of the radius, in meters
   */
  public static GeoArea circle(GeoPosition center, double radius, double unitMeters) {
    return new GeoArea(center, false, radius, radius, unitMeters);
  }

  /**
   * Returns a box around its center.
   *
   * @param width from west to east, 0 or more, infinite included
   * @param height from south to north, likewise
   * @param unitMeters the unit of both, in meters
   */
  public static GeoArea box(GeoPosition center, double width, double height, double unitMeters) {
    return new GeoArea(center, true, width, height, unitMeters);
  }

  /** Returns how far a position is from the center, in meters; NaN if it is not in the area. */
  public double metersIfWithin(GeoPosition position) {
    if (isBox) {
      boolean isOutside =
          position.metersNorth(center.latitude()) > height * unitMeters / 2
              || position.metersTo(new GeoPosition(center.longitude(), position.latitude()))
                  > width * unitMeters / 2;
      return isOutside ? Double.NaN : center.metersTo(position);
    }
    double meters = center.metersTo(position);
    return meters > width * unitMeters ? Double.NaN : meters;
  }

  /**
   * Returns the scores to look at, 1 to 9 ranges, in the order of the answers. All positions of the
   * area have scores in them, and others too.
   */
  public List<ScoreRange> ranges() {
    int steps = steps();
    GeoCell own = GeoCell.of(center, steps);
    if (steps > 1 && !reaches(own)) {
      own = GeoCell.of(center, --steps);
    }
    List<ScoreRange> ranges = new ArrayList<>();
    ranges.add(own.scores());
    Sides sides = steps > 1 ? sides(own) : new Sides(true, true, true, true);
    GeoCell last = null;
    for (Direction direction : Direction.values()) {
      if (!sides.allow(direction)) {
        continue;
      }
      GeoCell cell = own.neighbour(direction.east, direction.north);
      if (!cell.equals(last)) { // of very large cells, several neighbours are one
        ranges.add(cell.scores());
        last = cell;
      }
    }
    return ranges;
  }

  /** The neighbours of a cell, in the order in which they are looked at. */
  private enum Direction {
    NORTH(0, 1),
    SOUTH(0, -1),
    EAST(1, 0),
    WEST(-1, 0),
    NORTH_EAST(1, 1),
    NORTH_WEST(-1, 1),
    SOUTH_EAST(1, -1),
    SOUTH_WEST(-1, -1);

    private final int east;
    private final int north;

    Direction(int east, int north) {
      this.east = east;
      this.north = north;
    }
  }

  /** The sides of a cell behind which the area goes on. */
  private record Sides(boolean north, boolean south, boolean east, boolean west) {
    boolean allow(Direction direction) {
      return (direction.north <= 0 || north)
          && (direction.north >= 0 || south)
          && (direction.east <= 0 || east)
          && (direction.east >= 0 || west);
    }
  }

  private double halfHeightMeters() {
    return unitMeters * (isBox ? height / 2 : height);
  }

  private double halfWidthMeters() {
    return unitMeters * (isBox ? width / 2 : width);
  }

  private double highest() {
    return center.latitude() + GeoPosition.degrees(halfHeightMeters());
  }

  private double lowest() {
    return center.latitude() - GeoPosition.degrees(halfHeightMeters());
  }

  /** Returns half of the width in degrees, at the edge that is nearer to the pole. */
  private double degreesEast() {
    return GeoPosition.degreesEast(halfWidthMeters(), center.latitude() < 0 ? lowest() : highest());
  }

  /** Returns how often to halve the ranges, so that nine cells cover the area in most cases. */
  private int steps() {
    double meters =
        isBox
            ? Math.sqrt(width / 2 * (width / 2) + height / 2 * (height / 2)) * unitMeters
            : width * unitMeters;
    if (meters == 0) {
      return GeoPosition.STEPS;
    }
    int steps = 1;
    while (meters < HALF_MERCATOR_METERS) {
      meters *= 2;
      steps++;
    }
    steps -= 2;
    double latitude = Math.abs(center.latitude());
    if (latitude > FAR) {
      steps -= latitude > FARTHEST ? 2 : 1;
    }
    return Math.clamp(steps, 1, GeoPosition.STEPS);
  }

  /** Returns whether the neighbours of a cell reach as far as the area does. */
  private boolean reaches(GeoCell own) {
    double degrees = degreesEast();
    return !(own.neighbour(0, 1).north() < highest()
        || own.neighbour(0, -1).south() > lowest()
        || own.neighbour(1, 0).east() < center.longitude() + degrees
        || own.neighbour(-1, 0).west() > center.longitude() - degrees);
  }

  private Sides sides(GeoCell own) {
    double degrees = degreesEast();
    return new Sides(
        !(own.north() > highest()),
        !(own.south() < lowest()),
        !(own.east() > center.longitude() + degrees),
        !(own.west() < center.longitude() - degrees));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GeoArea area
        && center.equals(area.center)
        && isBox == area.isBox
        && width == area.width
        && height == area.height
        && unitMeters == area.unitMeters;
  }

  @Override
  public int hashCode() {
    return Objects.hash(center, isBox, width, height, unitMeters);
  }

  @Override
  public String toString() {
    return (isBox ? "box " : "circle ")
        + width
        + " "
        + height
        + " of "
        + unitMeters
        + " m at "
        + center;
  }
}
