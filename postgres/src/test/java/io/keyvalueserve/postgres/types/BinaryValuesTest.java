package io.keyvalueserve.postgres.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.postgres.wire.MessageWriter;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Goal: what is written in binary form is read as it was, and as text too. */
class BinaryValuesTest {
  @Property(tries = 300)
  void numbersComeBackAsTheyWere(
      @ForAll BigInteger unscaled, @ForAll @IntRange(min = 0, max = 60) int scale) {
    BigDecimal number = new BigDecimal(unscaled, scale);
    assertThat(BinaryValues.read(PgType.NUMERIC, written(PgType.NUMERIC, number)))
        .isEqualTo(number);
    assertThat(
            TextReader.read(PgType.NUMERIC, TextValues.of(number, ZoneOffset.UTC), ZoneOffset.UTC))
        .isEqualTo(number);
  }

  /** As PostgreSQL's {@code numeric_send} writes them. */
  @Test
  void numbersAreWrittenAsPostgresqlDoes() {
    assertThat(hex(PgType.NUMERIC, "0")).isEqualTo("0000000000000000");
    assertThat(hex(PgType.NUMERIC, "1")).isEqualTo("00010000000000000001");
    assertThat(hex(PgType.NUMERIC, "-12345.6789")).isEqualTo("00030001400000040001" + "09291a85");
    assertThat(hex(PgType.NUMERIC, "0.0001")).isEqualTo("0001ffff000000040001");
    assertThat(hex(PgType.NUMERIC, "0.10")).isEqualTo("0001ffff0000000203e8");
    assertThat(hex(PgType.NUMERIC, "10000")).isEqualTo("00010001000000000001");
    assertThat(hex(PgType.NUMERIC, "1.50")).isEqualTo("000200000000000200011388");
  }

  private static String hex(PgType type, String number) {
    return HexFormat.of().formatHex(written(type, new BigDecimal(number)));
  }

  @Property(tries = 200)
  void wholeAndFloatingNumbersComeBack(
      @ForAll long number, @ForAll int small, @ForAll double floating, @ForAll boolean truth) {
    assertBoth(PgType.INT8, number);
    assertBoth(PgType.INT4, small);
    assertBoth(PgType.INT2, (short) small);
    assertBoth(PgType.FLOAT8, floating);
    assertBoth(PgType.FLOAT4, (float) floating);
    assertBoth(PgType.BOOL, truth);
  }

  @Property(tries = 200)
  void timesComeBack(
      @ForAll @IntRange(min = -1_000_000, max = 2_000_000) int days,
      @ForAll @IntRange(min = 0, max = 86_399) int second,
      @ForAll @IntRange(min = 0, max = 999_999) int micros) {
    LocalDate date = LocalDate.ofEpochDay(days);
    LocalTime time = LocalTime.ofSecondOfDay(second).plusNanos(micros * 1000L);
    assertBoth(PgType.DATE, date);
    assertBoth(PgType.TIME, time);
    LocalDateTime moment = LocalDateTime.of(date, time);
    assertBoth(PgType.TIMESTAMP, moment);
    assertBoth(PgType.TIMESTAMPTZ, moment.atOffset(ZoneOffset.UTC));
  }

  @Property(tries = 200)
  void textsAndBytesComeBack(@ForAll String text, @ForAll byte[] bytes) {
    String valid =
        new String(
            text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
            java.nio.charset.StandardCharsets.UTF_8);
    assertBoth(PgType.TEXT, valid);
    assertThat((byte[]) BinaryValues.read(PgType.BYTEA, written(PgType.BYTEA, bytes)))
        .isEqualTo(bytes);
    assertThat(
            (byte[])
                TextReader.read(PgType.BYTEA, TextValues.of(bytes, ZoneOffset.UTC), ZoneOffset.UTC))
        .isEqualTo(bytes);
    assertBoth(PgType.TEXT_ARRAY, Arrays.asList(valid, null, "", "NULL", "a,\"b\\{}"));
  }

  private static void assertBoth(PgType type, Object value) {
    assertThat(BinaryValues.read(type, written(type, value))).isEqualTo(value);
    assertThat(TextReader.read(type, TextValues.of(value, ZoneOffset.UTC), ZoneOffset.UTC))
        .isEqualTo(value);
  }

  private static byte[] written(PgType type, Object value) {
    MessageWriter out = new MessageWriter();
    BinaryValues.write(out, type, value, ZoneOffset.UTC);
    return out.take();
  }

  @Property(tries = 1000)
  void anyBytesAreAValueOrAnError(@ForAll byte[] bytes, @ForAll PgType type) {
    try {
      Object value = BinaryValues.read(type, bytes);
      assertThat(value).isNotNull();
    } catch (PostgresException e) {
      assertThat(e.state()).startsWith("22");
    }
  }

  @Property(tries = 1000)
  void anyTextIsAValueOrAnError(@ForAll String text, @ForAll PgType type) {
    try {
      assertThat(TextReader.read(type, text, ZoneOffset.UTC)).isNotNull();
    } catch (PostgresException e) {
      assertThat(e.state()).startsWith("22");
    }
  }

  @Test
  void writesTextAsPostgresqlDoes() {
    assertThat(text(1.0)).isEqualTo("1");
    assertThat(text(1e20)).isEqualTo("1e+20");
    assertThat(text(1e-7)).isEqualTo("1e-07");
    assertThat(text(123456789.0)).isEqualTo("123456789");
    assertThat(text(0.001)).isEqualTo("0.001");
    assertThat(text(Double.NEGATIVE_INFINITY)).isEqualTo("-Infinity");
    assertThat(text(LocalDate.of(-43, 3, 15))).isEqualTo("0044-03-15 BC");
    assertThat(text(LocalTime.of(1, 2, 3, 500_000_000))).isEqualTo("01:02:03.5");
    assertThat(
            TextValues.of(
                LocalDateTime.of(2026, 1, 1, 0, 0).atOffset(ZoneOffset.UTC),
                java.time.ZoneId.of("Asia/Kolkata")))
        .isEqualTo("2026-01-01 05:30:00+05:30");
    assertThat(text(List.of("a b", 1L, List.of(true)))).isEqualTo("{\"a b\",1,{t}}");
    assertThat(text(new PgVector(List.of(1L, 2L)))).isEqualTo("1 2");
    assertThatThrownBy(() -> TextReader.read(PgType.INT4, "1x", ZoneOffset.UTC))
        .hasMessage("invalid input syntax for type integer: \"1x\"");
  }

  private static String text(Object value) {
    return TextValues.of(value, ZoneOffset.UTC);
  }
}
