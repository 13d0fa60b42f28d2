package io.keyvalueserve.resp.geo;

/**
 * A position on the earth, and its score in a sorted set.
 *
 * <p>The score is a geohash of 52 bits (G. Niemeyer, geohash.org, 2008): each coordinate is the
 * number of one of 2^26 equal parts of its range, and the bits of both take turns. It differs from
 * the geohash of the public in the range of latitudes, which is that of the web's maps (EPSG:3857).
 *
 * <p>Immutable, so safe for use by many threads.
 *
 * @param longitude in degrees, -180 to 180
 * @param latitude in degrees, -85.05112878 to 85.05112878
 */
public record GeoPosition(double longitude, double latitude) {
  /** The greatest longitude, and without its sign the least, in degrees. */
  public static final double MOST_LONGITUDE = 180;

  /** The greatest latitude, and without its sign the least, in degrees. */
  public static final double MOST_LATITUDE = 85.05112878;

  /** The times that the range of a coordinate is halved for a score. */
  static final int STEPS = 26;

  private static final double EARTH_RADIUS_METERS = 6372797.560856;
  private static final double RADIANS = Math.PI / 180;

  private static final double MOST_PUBLIC_LATITUDE = 90;
  private static final String DIGITS = "0123456789bcdefghjkmnpqrstuvwxyz";
  private static final int BITS_OF_DIGIT = 5;
  private static final double TWO_POWER_63 = 0x1p63;
  private static final long LOWER_32_BITS = 0xFFFFFFFFL;

  /** Returns whether there is a score for these coordinates; NaN has none. */
  public static boolean isValid(double longitude, double latitude) {
    return Math.abs(longitude) <= MOST_LONGITUDE && Math.abs(latitude) <= MOST_LATITUDE;
  }

  /**
   * Returns the middle of the area that a score stands for. Any score has one, as a sorted set may
   * have scores that are no geohashes: their bits are taken as they are, and coordinates held to
   * their ranges.
   *
   * @param score not NaN
   */
  public static GeoPosition ofScore(double score) {
    long bits = bits(score);
    return new GeoPosition(
        middle(Interleaving.odd(bits), MOST_LONGITUDE),
        middle(Interleaving.even(bits), MOST_LATITUDE));
  }

  /** Returns a score's integer, as a processor of x86-64 makes an unsigned one of it. */
  private static long bits(double score) {
    if (score < TWO_POWER_63) {
      return (long) score;
    }
    return score < 2 * TWO_POWER_63 ? (long) (score - TWO_POWER_63) ^ Long.MIN_VALUE : 0;
  }

  private static double middle(long part, double most) {
    double low = edge(part, STEPS, most);
    double high = edge((part + 1) & LOWER_32_BITS, STEPS, most);
    return Math.clamp((low + high) / 2, -most, most);
  }

  /** Returns where a part of a coordinate's range begins. */
  static double edge(long part, int steps, double most) {
    return -most + ((double) part / (1L << steps)) * (most - -most);
  }

  /** Returns the number of the part of a coordinate's range that a value lies in. */
  static long part(double value, int steps, double most) {
    return (long) ((value - -most) / (most - -most) * (1L << steps));
  }

  /** Returns the score: a whole number that a double holds exactly, 0 to less than 2^54. */
  public double score() {
    return Interleaving.of(
        part(latitude, STEPS, MOST_LATITUDE), part(longitude, STEPS, MOST_LONGITUDE));
  }

  /** Returns the geohash of the public, 11 digits. The last one is 0, as a score has no bits. */
  public String geohash() {
    long bits =
        Interleaving.of(
            part(latitude, STEPS, MOST_PUBLIC_LATITUDE), part(longitude, STEPS, MOST_LONGITUDE));
    StringBuilder text = new StringBuilder();
    for (int shift = 2 * STEPS - BITS_OF_DIGIT; shift >= 0; shift -= BITS_OF_DIGIT) {
      text.append(DIGITS.charAt((int) (bits >>> shift) & (DIGITS.length() - 1)));
    }
    return text.append(DIGITS.charAt(0)).toString();
  }

  /**
   * Returns the distance to another position along a great circle, in meters, by the haversine
   * formula.
   */
  public double metersTo(GeoPosition other) {
    double v = Math.sin((other.longitude * RADIANS - longitude * RADIANS) / 2);
    if (v == 0) {
      return metersNorth(other.latitude);
    }
    double here = latitude * RADIANS;
    double there = other.latitude * RADIANS;
    double u = Math.sin((there - here) / 2);
    double a = u * u + Math.cos(here) * Math.cos(there) * v * v;
    return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(a)));
  }

  /** Returns the distance to another latitude along the meridian, in meters, 0 or more. */
  double metersNorth(double otherLatitude) {
    return EARTH_RADIUS_METERS * Math.abs(otherLatitude * RADIANS - latitude * RADIANS);
  }

  /** Returns the angle that a distance is, in degrees. */
  static double degrees(double meters) {
    return meters / EARTH_RADIUS_METERS / RADIANS;
  }

  /** Returns the angle of longitude that a distance is at a latitude, in degrees. */
  static double degreesEast(double meters, double latitude) {
    return meters / EARTH_RADIUS_METERS / Math.cos(latitude * RADIANS) / RADIANS;
  }
}
