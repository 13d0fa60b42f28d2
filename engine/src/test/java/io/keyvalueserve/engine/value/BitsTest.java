package io.keyvalueserve.engine.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Goal: bits are counted and found, and integers at bits read and changed, as arithmetic has it.
 * Method: random values and ranges beside a walk bit by bit, and beside {@link BigInteger}.
 */
class BitsTest {
  private static final int ROUNDS = 20_000;

  @Test
  void countsAndFindsAsAWalkBitByBitDoes() {
    Random random = new Random(1);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] value = value(random);
      boolean inBits = random.nextBoolean();
      int most = inBits ? 200 : 30;
      BitRange range =
          new BitRange(random.nextInt(2 * most) - most, random.nextInt(2 * most) - most, inBits);
      boolean wanted = random.nextBoolean();
      String what = range + " of " + new BigInteger(1, value) + " in " + value.length + " bytes";
      long units = inBits ? value.length * 8L : value.length;
      long first = Math.max(range.start() < 0 ? range.start() + units : range.start(), 0);
      long last = Math.max(range.end() < 0 ? range.end() + units : range.end(), 0);
      last = Math.min(last, units - 1);
      long count = 0;
      long found = -1;
      for (long i = inBits ? first : first * 8; i <= (inBits ? last : last * 8 + 7); i++) {
        boolean isSet = Bits.get(value, i);
        count += isSet ? 1 : 0;
        found = found < 0 && isSet == wanted ? i : found;
      }
      assertThat(Bits.count(value, range)).as(what).isEqualTo(count);
      assertThat(Bits.find(value, wanted, range, true)).as(what).isEqualTo(found);
    }
  }

  @Test
  void findsAClearBitBehindAValueWithoutOne() {
    byte[] ones = {-1, -1, -1};
    assertThat(Bits.find(ones, false, BitRange.ALL, false)).isEqualTo(24);
    assertThat(Bits.find(ones, false, new BitRange(1, -1, false), false)).isEqualTo(24);
    assertThat(Bits.find(ones, false, new BitRange(3, -1, false), false)).isEqualTo(-1);
    assertThat(Bits.find(ones, false, BitRange.ALL, true)).isEqualTo(-1);
    assertThat(Bits.find(new byte[0], false, BitRange.ALL, false)).isEqualTo(-1);
  }

  @Test
  void takesPositionsAsLargeAsThereAre() {
    byte[] value = {1};
    assertThat(Bits.count(value, new BitRange(Long.MIN_VALUE, Long.MAX_VALUE, true))).isEqualTo(1);
    assertThat(Bits.count(value, new BitRange(Long.MAX_VALUE, Long.MAX_VALUE, false))).isZero();
  }

  @Test
  void fieldsAreAsBigIntegersHaveThem() {
    Random random = new Random(2);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] before = value(random);
      BitField field = field(random);
      BitFields run = BitFields.run(before, List.of(field));
      String what = field + " of " + new BigInteger(1, before) + " in " + before.length + " bytes";
      BigInteger old = read(before, field);
      BigInteger operand = BigInteger.valueOf(field.operand());
      BigInteger wanted =
          switch (field.action()) {
            case GET -> old;
            case INCREMENT -> old.add(operand);
            case SET -> field.signed() ? operand : unsigned(operand);
          };
      BigInteger least =
          field.signed() ? BigInteger.ONE.shiftLeft(field.bits() - 1).negate() : BigInteger.ZERO;
      BigInteger most =
          BigInteger.ONE
              .shiftLeft(field.signed() ? field.bits() - 1 : field.bits())
              .subtract(BigInteger.ONE);
      boolean fits = wanted.compareTo(least) >= 0 && wanted.compareTo(most) <= 0;
      boolean fails = !fits && field.overflow() == BitField.Overflow.FAIL;
      BigInteger after = fails ? old : fits ? wanted : corrected(wanted, least, most, field);
      assertThat(run.failed()[0]).as(what).isEqualTo(fails);
      if (!fails) {
        BigInteger answer = field.action() == BitField.Action.INCREMENT ? after : old;
        assertThat(BigInteger.valueOf(run.results()[0])).as(what).isEqualTo(answer);
      }
      assertThat(read(run.value(), field)).as(what).isEqualTo(after);
      assertOthersAreAsBefore(before, run.value(), field, what);
      boolean grown = field.writes() && run.value().length > before.length;
      assertThat(run.isChanged()).as(what).isEqualTo(grown || !after.equals(old));
    }
  }

  private static BigInteger unsigned(BigInteger operand) {
    return operand.mod(BigInteger.ONE.shiftLeft(Long.SIZE));
  }

  private static BigInteger corrected(
      BigInteger wanted, BigInteger least, BigInteger most, BitField field) {
    if (field.overflow() == BitField.Overflow.SATURATE) {
      return wanted.compareTo(most) > 0 ? most : least;
    }
    BigInteger low = wanted.mod(BigInteger.ONE.shiftLeft(field.bits()));
    return field.signed() && low.testBit(field.bits() - 1)
        ? low.subtract(BigInteger.ONE.shiftLeft(field.bits()))
        : low;
  }

  private static BigInteger read(byte[] value, BitField field) {
    BigInteger integer = BigInteger.ZERO;
    for (int i = 0; i < field.bits(); i++) {
      integer = integer.shiftLeft(1);
      integer = Bits.get(value, field.offset() + i) ? integer.setBit(0) : integer;
    }
    return field.signed() && integer.testBit(field.bits() - 1)
        ? integer.subtract(BigInteger.ONE.shiftLeft(field.bits()))
        : integer;
  }

  private static void assertOthersAreAsBefore(
      byte[] before, byte[] after, BitField field, String what) {
    for (long i = 0; i < after.length * 8L; i++) {
      if (i < field.offset() || i >= field.offset() + field.bits()) {
        assertThat(Bits.get(after, i)).as("bit %d: %s", i, what).isEqualTo(Bits.get(before, i));
      }
    }
  }

  private static BitField field(Random random) {
    boolean signed = random.nextBoolean();
    BitField.Action action = one(random, BitField.Action.values());
    long operand =
        switch (random.nextInt(8)) {
          case 0 -> Long.MAX_VALUE;
          case 1 -> Long.MIN_VALUE;
          default -> random.nextLong() >> random.nextInt(64);
        };
    return new BitField(
        action,
        one(random, BitField.Overflow.values()),
        signed,
        1 + random.nextInt(signed ? 64 : 63),
        random.nextInt(100),
        action == BitField.Action.GET ? 0 : operand);
  }

  private static <T> T one(Random random, T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static byte[] value(Random random) {
    byte[] value = new byte[random.nextInt(25)];
    switch (random.nextInt(4)) {
      case 0 -> Arrays.fill(value, (byte) -1);
      case 1 -> {}
      default -> random.nextBytes(value);
    }
    return value;
  }
}
