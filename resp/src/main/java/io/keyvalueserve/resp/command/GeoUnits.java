package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.resp.geo.GeoPosition;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** The coordinates and distances of requests and replies, in the words of Redis. */
final class GeoUnits {
  private static final double KILOMETER = 1000;
  private static final double FOOT = 0.3048;
  private static final double MILE = 1609.34;

  private static final int COORDINATE_DIGITS = 17;
  private static final int ERROR_DIGITS = 6;
  private static final int DISTANCE_DIGITS = 4;
  private static final double DISTANCE_SCALE = 1e4;

  private GeoUnits() {}

  /**
   * Reads a position: a longitude, and a latitude behind it.
   *
   * @param index of the longitude
   * @throws CommandException if they are no numbers, or out of range
   */
  static GeoPosition position(Request request, int index) {
    double longitude = Scores.score(request, index);
    double latitude = Scores.score(request, index + 1);
    if (!GeoPosition.isValid(longitude, latitude)) {
      throw new CommandException(
          "ERR invalid longitude,latitude pair "
              + sixDigits(longitude)
              + ","
              + sixDigits(latitude));
    }
    return new GeoPosition(longitude, latitude);
  }

  private static String sixDigits(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    String text =
        new BigDecimal(Math.abs(value))
            .setScale(ERROR_DIGITS, RoundingMode.HALF_EVEN)
            .toPlainString();
    return Math.copySign(1, value) < 0 ? "-" + text : text;
  }

  /**
   * Reads a length: not negative.
   *
   * @param kind its name in errors
   */
  static double length(Request request, int index, String kind) {
    return Scores.parse(request.latin(index))
        .orElseThrow(() -> new CommandException("ERR need numeric " + kind));
  }

  /** Reads a radius: not negative. */
  static double radius(Request request, int index) {
    double radius = length(request, index, "radius");
    if (radius < 0) {
      throw new CommandException("ERR radius cannot be negative");
    }
    return radius;
  }

  /** Reads a unit; returns it in meters. */
  static double unit(Request request, int index) {
    if (request.is(index, "M")) {
      return 1;
    }
    if (request.is(index, "KM")) {
      return KILOMETER;
    }
    if (request.is(index, "FT")) {
      return FOOT;
    }
    if (request.is(index, "MI")) {
      return MILE;
    }
    throw new CommandException("ERR unsupported unit provided. please use M, KM, FT, MI");
  }

  /** A distance, with four digits behind the point. */
  static Reply distance(double distance) {
    long scaled = (long) Math.rint(distance * DISTANCE_SCALE);
    return Reply.bulk(BigDecimal.valueOf(scaled, DISTANCE_DIGITS).toPlainString());
  }

  /** A longitude and a latitude. */
  static Reply coordinates(GeoPosition position) {
    return new Reply.Array(
        java.util.List.of(coordinate(position.longitude()), coordinate(position.latitude())));
  }

  private static Reply coordinate(double value) {
    String digits =
        new BigDecimal(value)
            .setScale(COORDINATE_DIGITS, RoundingMode.HALF_EVEN)
            .stripTrailingZeros()
            .toPlainString();
    return new Reply.Numeral(false, digits.getBytes(US_ASCII));
  }
}
