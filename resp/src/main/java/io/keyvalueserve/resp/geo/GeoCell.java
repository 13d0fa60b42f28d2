package io.keyvalueserve.resp.geo;

/**
 * An area with a common beginning of the scores in it: the ranges of both coordinates were halved
 * some times. Immutable, so safe for use by many threads.
 *
 * @param bits the beginning, 2 bits for each step; more at the upper edges of the ranges, where no
 *     other position lies
 * @param steps how often the ranges were halved, 1 to {@link GeoPosition#STEPS}
 */
record GeoCell(long bits, int steps) {
  private static final long LATITUDE = 0x5555555555555555L;
  private static final long LONGITUDE = 0xAAAAAAAAAAAAAAAAL;

  /** Returns the cell that a position lies in. */
  static GeoCell of(GeoPosition position, int steps) {
    return new GeoCell(
        Interleaving.of(
            GeoPosition.part(position.latitude(), steps, GeoPosition.MOST_LATITUDE),
            GeoPosition.part(position.longitude(), steps, GeoPosition.MOST_LONGITUDE)),
        steps);
  }

  /**
   * Returns a neighbour. Behind the edge of a range it is the cell at the other one.
   *
   * @param east -1 for the west, 0 or 1
   * @param north -1 for the south, 0 or 1
   */
  GeoCell neighbour(int east, int north) {
    long longitude = moved(bits & LONGITUDE, LONGITUDE, east);
    long latitude = moved(bits & LATITUDE, LATITUDE, north);
    return new GeoCell(longitude | latitude, steps);
  }

  /** Counts on within the bits of a mask: the others are set while a carry passes. */
  private long moved(long own, long mask, int by) {
    if (by == 0) {
      return own;
    }
    int unused = Long.SIZE - 2 * steps;
    long others = ~mask >>> unused;
    long next = by > 0 ? own + (others + 1) : (own | others) - (others + 1);
    return next & (mask >>> unused);
  }

  double west() {
    return GeoPosition.edge(Interleaving.odd(bits), steps, GeoPosition.MOST_LONGITUDE);
  }

  double east() {
    return GeoPosition.edge(Interleaving.odd(bits) + 1, steps, GeoPosition.MOST_LONGITUDE);
  }

  double south() {
    return GeoPosition.edge(Interleaving.even(bits), steps, GeoPosition.MOST_LATITUDE);
  }

  double north() {
    return GeoPosition.edge(Interleaving.even(bits) + 1, steps, GeoPosition.MOST_LATITUDE);
  }

  /** Returns the scores of the positions in it. */
  ScoreRange scores() {
    int shift = 2 * (GeoPosition.STEPS - steps);
    return new ScoreRange(bits << shift, (bits + 1) << shift);
  }
}
