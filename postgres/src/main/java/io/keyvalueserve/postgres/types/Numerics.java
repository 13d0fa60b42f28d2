package io.keyvalueserve.postgres.types;

import io.keyvalueserve.postgres.wire.MessageBody;
import io.keyvalueserve.postgres.wire.MessageWriter;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The binary form of {@code numeric}: digits to the base 10,000, the weight of the first of them, a
 * sign, and the number of decimal digits that are shown. Thread-safe.
 */
final class Numerics {
  private static final int DIGITS = 4;
  private static final BigInteger BASE = BigInteger.valueOf(10_000);
  private static final int NEGATIVE = 0x4000;
  private static final int MOST_SCALE = 16_383;
  private static final int MOST_WEIGHT = 32_767;

  private Numerics() {}

  static void write(MessageWriter out, BigDecimal number) {
    int shown = Math.max(0, number.scale());
    if (shown > MOST_SCALE || -number.scale() > MOST_SCALE) {
      throw new PostgresException("22003", "a number has too many digits for type numeric");
    }
    int groupsBehind = (shown + DIGITS - 1) / DIGITS;
    BigInteger whole = number.abs().setScale(groupsBehind * DIGITS).unscaledValue();
    short[] groups = groups(whole);
    int from = 0; // leading and trailing groups of zero are left out
    int to = groups.length;
    while (from < to && groups[from] == 0) {
      from++;
    }
    while (to > from && groups[to - 1] == 0) {
      to--;
    }
    int weight = from == to ? 0 : groups.length - groupsBehind - 1 - from;
    if (weight > MOST_WEIGHT) {
      throw new PostgresException("22003", "a number has too many digits for type numeric");
    }
    out.int16(to - from).int16(weight).int16(number.signum() < 0 ? NEGATIVE : 0).int16(shown);
    for (int i = from; i < to; i++) {
      out.int16(groups[i]);
    }
  }

  /** The digits to the base, the most significant first. */
  private static short[] groups(BigInteger whole) {
    String decimal = whole.toString();
    int count = (decimal.length() + DIGITS - 1) / DIGITS;
    short[] groups = new short[count];
    int end = decimal.length();
    for (int i = count - 1; i >= 0; i--) {
      int begin = Math.max(0, end - DIGITS);
      groups[i] = Short.parseShort(decimal.substring(begin, end));
      end = begin;
    }
    return groups;
  }

  static BigDecimal read(MessageBody in) {
    int count = in.count(2);
    int weight = in.int16();
    int sign = Short.toUnsignedInt(in.int16());
    int shown = Short.toUnsignedInt(in.int16());
    if (sign != 0 && sign != NEGATIVE) {
      throw new PostgresException("22003", "NaN and infinity are no numbers of type numeric here");
    }
    if (shown > MOST_SCALE) {
      throw wrong();
    }
    in = new MessageBody(in.bytes(2 * count));
    StringBuilder digits = new StringBuilder(count * DIGITS + 1).append('0');
    for (int i = 0; i < count; i++) {
      int group = Short.toUnsignedInt(in.int16());
      if (group >= BASE.intValue()) {
        throw wrong();
      }
      digits.append(Integer.toString(BASE.intValue() + group), 1, DIGITS + 1);
    }
    int scale = (count - 1 - weight) * DIGITS;
    BigDecimal value = new BigDecimal(new BigInteger(digits.toString()), scale);
    BigDecimal exact = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    BigDecimal result = exact.scale() < shown ? exact.setScale(shown) : exact;
    return sign == NEGATIVE ? result.negate() : result;
  }

  private static PostgresException wrong() {
    return new PostgresException("22P03", "a parameter of type numeric is malformed");
  }
}
