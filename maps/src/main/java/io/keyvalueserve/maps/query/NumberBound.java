package io.keyvalueserve.maps.query;

import com.hazelcast.query.impl.Numbers;
import io.keyvalueserve.engine.query.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * A number that attributes of one type are compared with, without objects. Orders are those of
 * Hazelcast's {@code Comparables}.
 *
 * @param isWhole whether it is {@link #whole}, else it is {@link #fraction}
 */
record NumberBound(boolean isWhole, long whole, double fraction) {
  private static final double DENSE = 0x1p53;
  private static final double LONGS = 0x1p63;

  private static final Class<?>[] CLASSES = {
    Byte.class, Short.class, Integer.class, Long.class, Float.class, Double.class
  };

  /** Returns a number as a bound; null if it is of a class that objects must compare. */
  static @Nullable NumberBound of(@Nullable Object number) {
    if (number == null) {
      return null;
    }
    Class<?> type = number.getClass();
    if (Numbers.isLongRepresentable(type)) {
      return new NumberBound(true, ((Number) number).longValue(), 0);
    }
    return Numbers.isDoubleRepresentable(type)
        ? new NumberBound(false, 0, ((Number) number).doubleValue())
        : null;
  }

  /**
   * Returns what attributes are compared with, by their types: as {@link Scalar} numbers them.
   *
   * @return null where it takes objects
   */
  static @Nullable NumberBound[] of(FieldType type, Object given) {
    @Nullable NumberBound[] bounds = new NumberBound[Scalar.NUMBERS];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = type == FieldType.OBJECT ? converted(i, given) : typed(type, i, given);
    }
    return bounds;
  }

  private static @Nullable NumberBound converted(int attribute, Object given) {
    if (!(given instanceof Comparable<?> comparable)) {
      return null;
    }
    try {
      return of(ObjectCompare.convert(CLASSES[attribute], comparable));
    } catch (RuntimeException e) { // whoever compares objects meets the same
      return null;
    }
  }

  /**
   * Returns the bound for stored values that are converted to the field's type, where that can
   * never fail.
   */
  private static @Nullable NumberBound typed(FieldType type, int attribute, Object given) {
    boolean fits =
        switch (type) {
          case TINYINT -> attribute == Scalar.BYTE;
          case SMALLINT -> attribute <= Scalar.SHORT;
          case INTEGER -> attribute <= Scalar.INT;
          case BIGINT -> attribute <= Scalar.LONG;
          case REAL -> attribute == Scalar.FLOAT || attribute <= Scalar.SHORT;
          case DOUBLE -> attribute != Scalar.LONG;
          default -> false;
        };
    return fits ? of(given) : null;
  }

  /** Compares a whole number with this. */
  int compare(long value) {
    return isWhole ? Long.compare(value, whole) : compare(value, fraction);
  }

  /** Compares a fraction with this. */
  int compare(double value) {
    return isWhole ? -compare(whole, value) : Double.compare(value, fraction);
  }

  private static int compare(long left, double right) {
    if (right > -DENSE && right < DENSE) {
      return Double.compare((double) left, right);
    }
    if (Double.isNaN(right) || right >= LONGS) {
      return -1;
    }
    return right <= -LONGS ? 1 : Long.compare(left, (long) right);
  }
}
