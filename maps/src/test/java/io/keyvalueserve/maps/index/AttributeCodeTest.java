package io.keyvalueserve.maps.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.query.impl.CompositeValue;
import com.hazelcast.query.impl.IndexCopyBehavior;
import com.hazelcast.query.impl.OrderedIndexStore;
import com.hazelcast.query.impl.UnorderedIndexStore;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Goal: bytes compare as Hazelcast compares values, and are the same when it finds them the same.
 * Method: all pairs of hard values and of random ones near them; Hazelcast's own comparator and
 * canonical forms are the judge.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // as Hazelcast's own
class AttributeCodeTest {
  private static final UnorderedIndexStore HASH =
      new UnorderedIndexStore(IndexCopyBehavior.COPY_ON_READ);

  private final Random random = new Random(Long.getLong("kvs.seed", 11));

  @Test
  void numbersAreInTheOrderOfHazelcast() {
    List<Comparable> numbers = new ArrayList<>();
    for (int shift = 0; shift < 64; shift++) {
      for (int near = -2; near <= 2; near++) {
        long whole = (1L << shift) + near;
        numbers.addAll(List.of(whole, -whole, (double) whole, -(double) whole, (float) whole));
        numbers.add((int) whole);
        numbers.add((short) whole);
        numbers.add((byte) whole);
        numbers.add(Math.nextUp((double) whole));
        numbers.add(Math.nextDown((double) -whole));
        numbers.add(0.1 * whole);
        numbers.add(0.1f * whole);
      }
    }
    numbers.addAll(
        List.of(
            0.0,
            -0.0,
            -0.0f,
            Double.NaN,
            Float.NaN,
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            -Double.MAX_VALUE,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Float.POSITIVE_INFINITY,
            Long.MAX_VALUE,
            Long.MIN_VALUE));
    check(numbers);
  }

  @Test
  void bigNumbersAreInTheOrderOfHazelcast() {
    List<Comparable> whole = new ArrayList<>();
    List<Comparable> decimals = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      BigInteger number = new BigInteger(random.nextInt(200), random);
      whole.addAll(List.of(number, number.negate(), number.add(BigInteger.ONE)));
      BigDecimal decimal = new BigDecimal(number, random.nextInt(60) - 30);
      decimals.addAll(List.of(decimal, decimal.negate(), decimal.setScale(40)));
    }
    for (String text :
        List.of("0", "0.0", "1", "1.0", "1e9", "-1e9", "10", "1e2147483647", "1e-9")) {
      decimals.add(new BigDecimal(text));
    }
    check(whole);
    check(decimals);
  }

  @Test
  void textIsInTheOrderOfHazelcast() {
    List<Comparable> texts = new ArrayList<>(List.of("", "\0", "\0\0", "a", "a\0", "\uFFFF"));
    String alphabet = "\0\1ab~\u007F\u0080\u07FE\u07FF\u0800\uD800\uDC00\uDFFF\uE000\uFFFE\uFFFF";
    for (int i = 0; i < 400; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(5); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      texts.add(text.toString());
    }
    check(texts);
    check(List.of('\0', 'a', 'b', '\uFFFF', '\u00FF'));
    check(List.of(true, false));
    check(List.of(TimeUnit.DAYS, "DAYS", TimeUnit.HOURS, "HOURS"));
  }

  @SuppressWarnings("JavaUtilDate") // users' values
  @Test
  void timesAreInTheOrderOfHazelcast() {
    List<Comparable> dates = new ArrayList<>();
    List<Comparable> stamps = new ArrayList<>();
    List<Comparable> days = new ArrayList<>(List.of(LocalDate.MIN, LocalDate.MAX));
    List<Comparable> times = new ArrayList<>(List.of(LocalTime.MIN, LocalTime.MAX));
    List<Comparable> both = new ArrayList<>(List.of(LocalDateTime.MIN, LocalDateTime.MAX));
    List<Comparable> instants = new ArrayList<>(List.of(Instant.MIN, Instant.MAX));
    List<Comparable> offsets = new ArrayList<>(List.of(OffsetDateTime.MIN, OffsetDateTime.MAX));
    for (int i = 0; i < 60; i++) {
      long millis = random.nextInt(5) * 1_000L - 2_000 + random.nextInt(2);
      dates.addAll(List.of(new Date(millis), new java.sql.Date(millis)));
      Timestamp stamp = new Timestamp(millis);
      stamp.setNanos(random.nextInt(3));
      stamps.add(stamp);
      days.add(LocalDate.ofEpochDay(random.nextInt(9) - 4));
      times.add(LocalTime.ofNanoOfDay(random.nextInt(9)));
      LocalDateTime time =
          LocalDateTime.ofEpochSecond(random.nextInt(5) - 2, random.nextInt(2), ZoneOffset.UTC);
      both.add(time);
      instants.add(time.toInstant(ZoneOffset.UTC));
      offsets.add(time.atOffset(ZoneOffset.ofTotalSeconds(random.nextInt(5) - 2)));
      offsets.add(time.atOffset(ZoneOffset.UTC).withOffsetSameInstant(ZoneOffset.ofHours(3)));
    }
    List.of(dates, stamps, days, times, both, instants, offsets).forEach(this::check);
  }

  @Test
  void identifiersAreInTheOrderOfHazelcast() {
    List<Comparable> ids = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      ids.add(new UUID(random.nextInt(3) - 1, random.nextInt(3) - 1));
      ids.add(UUID.randomUUID());
    }
    check(ids);
  }

  @Test
  void compositeValuesAreInTheOrderOfHazelcast() {
    List<Comparable> values = new ArrayList<>();
    Comparable[] texts = {"", "a", "a\0", "b", com.hazelcast.query.impl.AbstractIndex.NULL};
    Comparable[] numbers = {1, 1.5, -1L, 7f, com.hazelcast.query.impl.AbstractIndex.NULL};
    Comparable[] ends = {CompositeValue.NEGATIVE_INFINITY, CompositeValue.POSITIVE_INFINITY};
    for (int i = 0; i < 300; i++) {
      Comparable text = random.nextInt(8) == 0 ? ends[random.nextInt(2)] : texts[random.nextInt(5)];
      Comparable number =
          random.nextInt(8) == 0 ? ends[random.nextInt(2)] : numbers[random.nextInt(5)];
      values.add(new CompositeValue(new Comparable[] {text, number}));
    }
    IndexCode code = new IndexCode(true, 2);
    for (Comparable left : values) {
      byte[] leftCode = bytes(code, left);
      assertThat(code.end(leftCode, 0, new CodeReader())).isEqualTo(leftCode.length);
      assertThat(code.get(leftCode, 0).compareTo(left)).isZero();
      for (Comparable right : values) {
        assertThat(Integer.signum(Arrays.compareUnsigned(leftCode, bytes(code, right))))
            .describedAs("%s and %s", left, right)
            .isEqualTo(Integer.signum(left.compareTo(right)));
      }
    }
  }

  @Test
  void whatHasNoCodeIsRefused() {
    for (Object value : List.of(new Object(), Thread.State.class, Year.of(1))) {
      assertThat(new IndexCode(true, 1).put(value, new CodeWriter(), new int[1])).isFalse();
      assertThat(new IndexCode(false, 1).put(value, new CodeWriter(), new int[1])).isFalse();
    }
  }

  private void check(List<? extends Comparable> values) {
    IndexCode ordered = new IndexCode(true, 1);
    IndexCode exact = new IndexCode(false, 1);
    for (Comparable left : values) {
      byte[] leftOrdered = checkedBytes(ordered, left);
      byte[] leftExact = checkedBytes(exact, left);
      Comparable leftCanonical = canonical(left);
      assertThat(compare(ordered.get(leftOrdered, 0), plain(left))).isZero();
      for (Comparable right : values) {
        assertThat(Integer.signum(Arrays.compareUnsigned(leftOrdered, bytes(ordered, right))))
            .describedAs("%s %s and %s %s", left.getClass(), left, right.getClass(), right)
            .isEqualTo(Integer.signum(compare(plain(left), plain(right))));
        assertThat(Arrays.equals(leftExact, bytes(exact, right)))
            .describedAs("%s %s and %s %s", left.getClass(), left, right.getClass(), right)
            .isEqualTo(leftCanonical.equals(canonical(right)));
      }
    }
  }

  private static byte[] checkedBytes(IndexCode code, Comparable value) {
    byte[] bytes = bytes(code, value);
    byte[] amidst = new byte[bytes.length + 9];
    Arrays.fill(amidst, (byte) random(value));
    System.arraycopy(bytes, 0, amidst, 4, bytes.length);
    assertThat(code.end(amidst, 4, new CodeReader())).isEqualTo(4 + bytes.length);
    assertThat(bytes(code, code.get(amidst, 4))).isEqualTo(bytes);
    return bytes;
  }

  private static int random(Comparable value) {
    return value.hashCode();
  }

  private static int compare(Comparable left, Comparable right) {
    return OrderedIndexStore.SPECIAL_AWARE_COMPARATOR.compare(left, right);
  }

  private static Comparable canonical(Comparable value) {
    return HASH.canonicalizeScalarForStorage(plain(value));
  }

  private static Comparable plain(Comparable value) {
    return value instanceof Enum<?> constant ? constant.name() : value;
  }

  private static byte[] bytes(IndexCode code, Comparable value) {
    CodeWriter out = new CodeWriter();
    assertThat(code.put(value, out, new int[code.components()])).isTrue();
    return out.copyFrom(0);
  }
}
