package io.keyvalueserve.maps.index;

import static com.hazelcast.query.impl.AbstractIndex.NULL;
import static com.hazelcast.query.impl.CompositeValue.NEGATIVE_INFINITY;
import static com.hazelcast.query.impl.CompositeValue.POSITIVE_INFINITY;

import com.hazelcast.query.impl.IndexCopyBehavior;
import com.hazelcast.query.impl.TypeConverters;
import com.hazelcast.query.impl.UnorderedIndexStore;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values of an attribute as bytes: a byte that names a family of values that compare with each
 * other, and bytes that say where they end, so that no code is the beginning of another.
 *
 * <p>For sorted indexes the bytes have the order that Hazelcast's {@code Comparables} give the
 * values, and are the same if that finds them the same. For hash indexes they are the same if the
 * values are, as {@link UnorderedIndexStore} makes them canonical; their order means nothing.
 *
 * <p>Nothing comes before null but {@code NEGATIVE_INFINITY}; nothing after {@code
 * POSITIVE_INFINITY}. Both are in questions only. Codes are kept in memory only.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class AttributeCode {
  /** No family in particular: of null and of the infinities. */
  static final int ANY = 0;

  /** The family of values that cannot be written as bytes. */
  static final int NONE = -1;

  private static final int LOWEST = 0x00;
  private static final int NOTHING = 0x01;
  private static final int BOOLEAN = 0x10;
  private static final int NUMBER = 0x20;
  private static final int BIG_INTEGER = 0x21;
  private static final int BIG_DECIMAL = 0x22;
  private static final int WHOLE = 0x28; // of hash indexes
  private static final int FLOAT = 0x29; // of hash indexes
  private static final int DOUBLE = 0x2A; // of hash indexes
  private static final int SCALED_DECIMAL = 0x2B; // of hash indexes
  private static final int STRING = 0x30;
  private static final int CHARACTER = 0x31;
  private static final int DATE = 0x40;
  private static final int TIMESTAMP = 0x41;
  private static final int LOCAL_DATE = 0x42;
  private static final int LOCAL_TIME = 0x43;
  private static final int LOCAL_DATE_TIME = 0x44;
  private static final int OFFSET_DATE_TIME = 0x45;
  private static final int INSTANT = 0x46;
  private static final int ID = 0x50;
  private static final int HIGHEST = 0xFF;

  private static final UnorderedIndexStore CANON =
      new UnorderedIndexStore(IndexCopyBehavior.COPY_ON_READ);

  private final boolean ordered;

  AttributeCode(boolean ordered) {
    this.ordered = ordered;
  }

  /**
   * Writes a value.
   *
   * @param value null stands for Hazelcast's NULL
   * @return its family, {@link #ANY}, or {@link #NONE}: then nothing sensible was written
   */
  @SuppressWarnings("ReferenceEquality") // there is one of each
  int put(@Nullable Object value, CodeWriter out) {
    if (value == null || value == NULL) {
      out.put(NOTHING);
      return ANY;
    } else if (value == NEGATIVE_INFINITY || value == POSITIVE_INFINITY) {
      out.put(value == NEGATIVE_INFINITY ? LOWEST : HIGHEST);
      return ANY;
    } else if (value instanceof String text) {
      return putText(text, out);
    } else if (value instanceof Number number) {
      return ordered ? putNumber(number, out) : putCanonical(number, out);
    } else if (value.getClass().isEnum()) {
      return putText((String) TypeConverters.ENUM_CONVERTER.convert((Comparable) value), out);
    }
    return putOther(value, out);
  }

  /** Returns whether values of two families may stand in one index. */
  boolean mayMix(int family, int other) {
    return family == ANY
        || other == ANY
        || family == other
        || (!ordered && !(isDate(family) && isDate(other)));
  }

  private static boolean isDate(int family) {
    return family == DATE || family == TIMESTAMP;
  }

  /** A value as hash indexes of Hazelcast's keep it. */
  static Comparable canonical(Comparable value) {
    return CANON.canonicalizeScalarForStorage(value);
  }

  private static int putText(String text, CodeWriter out) {
    out.put(STRING);
    TextCode.put(text, out);
    return STRING;
  }

  private static int putNumber(Number number, CodeWriter out) {
    if (number instanceof Integer || number instanceof Long || isSmall(number)) {
      out.put(NUMBER);
      NumberCode.put(number.longValue(), out);
      return NUMBER;
    } else if (number instanceof Double || number instanceof Float) {
      out.put(NUMBER);
      NumberCode.put(number.doubleValue(), out);
      return NUMBER;
    } else if (number.getClass() == BigInteger.class) {
      out.put(BIG_INTEGER);
      NumberCode.put((BigInteger) number, out);
      return BIG_INTEGER;
    } else if (number.getClass() == BigDecimal.class) {
      out.put(BIG_DECIMAL);
      NumberCode.put((BigDecimal) number, out);
      return BIG_DECIMAL;
    }
    return NONE;
  }

  private static boolean isSmall(Number number) {
    return number instanceof Short || number instanceof Byte;
  }

  private static int putCanonical(Number number, CodeWriter out) {
    if (!(number instanceof Comparable<?> comparable)) {
      return NONE;
    }
    Comparable canonical = CANON.canonicalizeScalarForStorage(comparable);
    if (canonical instanceof Integer || canonical instanceof Long) {
      out.put(WHOLE);
      long whole = ((Number) canonical).longValue();
      for (long rest = (whole << 1) ^ (whole >> 63); ; rest >>>= 7) {
        out.put(((int) (rest & 0x7F) << 1) | (rest >>> 7 == 0 ? 0 : 1));
        if (rest >>> 7 == 0) {
          return WHOLE;
        }
      }
    } else if (canonical instanceof Float value) {
      out.put(FLOAT);
      out.putInt(Float.floatToIntBits(value));
      return FLOAT;
    } else if (canonical instanceof Double value) {
      out.put(DOUBLE);
      out.putLong(Double.doubleToLongBits(value));
      return DOUBLE;
    } else if (canonical.getClass() == BigInteger.class) {
      out.put(BIG_INTEGER);
      NumberCode.put((BigInteger) canonical, out);
      return BIG_INTEGER;
    } else if (canonical.getClass() == BigDecimal.class) {
      BigDecimal value = (BigDecimal) canonical;
      out.put(SCALED_DECIMAL);
      out.putInt(value.scale());
      NumberCode.put(value.unscaledValue(), out);
      return SCALED_DECIMAL;
    }
    return NONE;
  }

  private static int putOther(Object value, CodeWriter out) {
    int start = out.length();
    out.put(0);
    int family =
        switch (value) {
          case Boolean flag -> {
            out.put(flag ? 1 : 0);
            yield BOOLEAN;
          }
          case Character character -> {
            out.putShort(character);
            yield CHARACTER;
          }
          case UUID id -> {
            putSigned(id.getMostSignificantBits(), out);
            putSigned(id.getLeastSignificantBits(), out);
            yield ID;
          }
          case Date date -> putDate(date, out);
          case LocalDate date -> {
            putSigned(date.toEpochDay(), out);
            yield LOCAL_DATE;
          }
          case LocalTime time -> {
            putSigned(time.toNanoOfDay(), out);
            yield LOCAL_TIME;
          }
          case LocalDateTime time -> {
            putSigned(time.toLocalDate().toEpochDay(), out);
            putSigned(time.toLocalTime().toNanoOfDay(), out);
            yield LOCAL_DATE_TIME;
          }
          case OffsetDateTime time -> {
            putSigned(time.toEpochSecond(), out);
            out.putInt(time.getNano());
            out.putInt(time.getOffset().getTotalSeconds() ^ Integer.MIN_VALUE);
            yield OFFSET_DATE_TIME;
          }
          case Instant time -> {
            putSigned(time.getEpochSecond(), out);
            out.putInt(time.getNano());
            yield INSTANT;
          }
          default -> NONE;
        };
    if (family != NONE) {
      out.array()[start] = (byte) family;
    }
    return family;
  }

  /** All but timestamps are the same if their milliseconds are, whatever their class. */
  @SuppressWarnings("JavaUtilDate") // users' values
  private static int putDate(Date date, CodeWriter out) {
    if (date.getClass() == Timestamp.class) {
      putSigned(date.getTime(), out);
      out.putInt(((Timestamp) date).getNanos());
      return TIMESTAMP;
    }
    if (date.getClass() == Date.class
        || date.getClass() == java.sql.Date.class
        || date.getClass() == Time.class) {
      putSigned(date.getTime(), out);
      return DATE;
    }
    return NONE;
  }

  private static void putSigned(long value, CodeWriter out) {
    out.putLong(value ^ Long.MIN_VALUE);
  }

  private static long getSigned(CodeReader in) {
    return in.getLong() ^ Long.MIN_VALUE;
  }

  /**
   * Reads a value: one that Hazelcast finds the same as that which was written, not always of the
   * same class.
   */
  @SuppressWarnings("JavaUtilDate") // users' values
  Comparable get(CodeReader in) {
    int family = in.get();
    return switch (family) {
      case NOTHING -> NULL;
      case LOWEST -> NEGATIVE_INFINITY;
      case HIGHEST -> POSITIVE_INFINITY;
      case BOOLEAN -> in.get() == 1;
      case NUMBER -> (Comparable) NumberCode.get(in);
      case BIG_INTEGER -> NumberCode.getBigInteger(in);
      case BIG_DECIMAL -> NumberCode.getBigDecimal(in);
      case WHOLE -> getWhole(in);
      case FLOAT -> Float.intBitsToFloat(in.getInt());
      case DOUBLE -> Double.longBitsToDouble(in.getLong());
      case SCALED_DECIMAL -> {
        int scale = in.getInt();
        yield new BigDecimal(NumberCode.getBigInteger(in), scale);
      }
      case STRING -> TextCode.get(in);
      case CHARACTER -> (char) in.getShort();
      case DATE -> new Date(getSigned(in));
      case TIMESTAMP -> {
        Timestamp time = new Timestamp(getSigned(in));
        time.setNanos(in.getInt());
        yield time;
      }
      case LOCAL_DATE -> LocalDate.ofEpochDay(getSigned(in));
      case LOCAL_TIME -> LocalTime.ofNanoOfDay(getSigned(in));
      case LOCAL_DATE_TIME -> {
        LocalDate date = LocalDate.ofEpochDay(getSigned(in));
        yield date.atTime(LocalTime.ofNanoOfDay(getSigned(in)));
      }
      case OFFSET_DATE_TIME -> {
        Instant instant = Instant.ofEpochSecond(getSigned(in), in.getInt());
        int offset = in.getInt() ^ Integer.MIN_VALUE;
        yield instant.atOffset(ZoneOffset.ofTotalSeconds(offset));
      }
      case INSTANT -> Instant.ofEpochSecond(getSigned(in), in.getInt());
      case ID -> new UUID(getSigned(in), getSigned(in));
      default -> throw new IllegalStateException("not a code: family=" + family);
    };
  }

  private static Comparable getWhole(CodeReader in) {
    long rest = 0;
    for (int shift = 0; ; shift += 7) {
      int read = in.get();
      rest |= (long) (read >>> 1) << shift;
      if ((read & 1) == 0) {
        long whole = (rest >>> 1) ^ -(rest & 1);
        if (whole == (int) whole) {
          return (int) whole;
        }
        return whole;
      }
    }
  }

  /** Goes behind a value. */
  void skip(CodeReader in) {
    int family = in.get();
    switch (family) {
      case NOTHING, LOWEST, HIGHEST -> {}
      case BOOLEAN -> in.skip(1);
      case NUMBER -> NumberCode.skip(in);
      case BIG_INTEGER -> NumberCode.skipBigInteger(in);
      case BIG_DECIMAL -> NumberCode.skipBigDecimal(in);
      case WHOLE -> in.skipThrough(1, 0);
      case FLOAT -> in.skip(Float.BYTES);
      case SCALED_DECIMAL -> {
        in.skip(Integer.BYTES);
        NumberCode.skipBigInteger(in);
      }
      case STRING -> TextCode.skip(in);
      case CHARACTER -> in.skip(Character.BYTES);
      case DOUBLE, DATE, LOCAL_DATE, LOCAL_TIME -> in.skip(Long.BYTES);
      case TIMESTAMP, INSTANT -> in.skip(Long.BYTES + Integer.BYTES);
      case LOCAL_DATE_TIME, OFFSET_DATE_TIME, ID -> in.skip(2 * Long.BYTES);
      default -> throw new IllegalStateException("not a code: family=" + family);
    }
  }
}
