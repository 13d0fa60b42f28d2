package io.keyvalueserve.stores;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoercionTest {
  private static StoreColumn column(ColumnType type) {
    return new StoreColumn("c", type, true);
  }

  @ParameterizedTest
  @CsvSource({
    "SMALLINT, -32768, -32768",
    "INTEGER, 1.0, 1",
    "INTEGER, 1e3, 1000",
    "BIGINT, 9223372036854775807, 9223372036854775807",
    "BIGINT, +5, 5",
    "NUMERIC, 1.50, 1.50",
    "NUMERIC, 1e3, 1000",
    "NUMERIC, .5, 0.5",
    "REAL, 0.1, 0.1",
    "REAL, NaN, NaN",
    "DOUBLE, -0.0, -0.0",
    "DOUBLE, -Infinity, -Infinity",
    "BOOLEAN, T, true",
    "BOOLEAN, False, false",
    "BOOLEAN, 1, true",
    "BOOLEAN, f, false",
    "JSON, '[1.10, {}]', '[1.10, {}]'",
    "UUID, 123E4567-e89b-12d3-a456-426614174000, 123e4567-e89b-12d3-a456-426614174000",
    "DATE, 2026-01-31, 2026-01-31",
    "TIME, 23:59, 23:59",
    "TIME, 23:59:30.1234567, 23:59:30.123456",
    "TIMESTAMP, 2026-01-31 23:59:30, 2026-01-31T23:59:30",
    "TIMESTAMP_WITH_ZONE, 2026-01-31T23:59:30+01:00, 2026-01-31T22:59:30Z",
    "TIMESTAMP_WITH_ZONE, 2026-01-31 23:59:30+01, 2026-01-31T22:59:30Z",
    "TIMESTAMP_WITH_ZONE, 2026-01-31T23:59:30Z, 2026-01-31T23:59:30Z",
  })
  void textBecomesWhatTheColumnIs(ColumnType type, String text, String expected) {
    Object value = column(type).coerce(text);
    assertThat(value).hasToString(expected);
    assertThat(column(type).coerce(text.getBytes(UTF_8))).isEqualTo(value);
    assertThat(column(type).coerce(value)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "SMALLINT, 32768",
    "INTEGER, 2147483648",
    "INTEGER, 1.5",
    "INTEGER, abc",
    "INTEGER, ''",
    "INTEGER, ' 1'",
    "INTEGER, 0x10",
    "INTEGER, 1e999999999",
    "INTEGER, 1e9999999999",
    "BIGINT, 9223372036854775808",
    "NUMERIC, NaN",
    "NUMERIC, Infinity",
    "NUMERIC, 1e1001",
    "NUMERIC, 1e-1001",
    "NUMERIC, 1d",
    "NUMERIC, ٣",
    "REAL, 1e39",
    "DOUBLE, 1e309",
    "DOUBLE, 1f",
    "BOOLEAN, yes",
    "BOOLEAN, 2",
    "JSON, '{'",
    "JSON, ''",
    "JSON, '1 2'",
    "JSON, 'tru'",
    "JSON, NaN",
    "UUID, 1-1-1-1-1",
    "UUID, 123e4567-e89b-12d3-a456-42661417400g",
    "DATE, 2026-02-30",
    "DATE, 31.1.2026",
    "DATE, 2026-01-31T00:00",
    "TIME, 25:00",
    "TIMESTAMP, 2026-01-31T23:59:30Z",
    "TIMESTAMP, 2026-01-31",
    "TIMESTAMP_WITH_ZONE, 2026-01-31T23:59:30",
  })
  void textThatDoesNotFitIsRefusedWithTheRemedy(ColumnType type, String text) {
    assertThatThrownBy(() -> column(type).coerce(text))
        .isInstanceOf(StoreValueException.class)
        .hasMessageStartingWith(
            "column c: the value is no " + type.name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .hasMessageContaining(type.fitting())
        .extracting("column")
        .isEqualTo("c");
  }

  @Test
  void valuesOfOtherClassesAreConverted() {
    assertThat(column(ColumnType.INTEGER).coerce(5L)).isEqualTo(5);
    assertThat(column(ColumnType.SMALLINT).coerce((byte) 5)).isEqualTo((short) 5);
    assertThat(column(ColumnType.BIGINT).coerce(5.0)).isEqualTo(5L);
    assertThat(column(ColumnType.NUMERIC).coerce(0.1)).isEqualTo(new BigDecimal("0.1"));
    assertThat(column(ColumnType.NUMERIC).coerce(BigInteger.TEN)).isEqualTo(BigDecimal.TEN);
    assertThat(column(ColumnType.DOUBLE).coerce(0.1f)).isEqualTo(0.1);
    assertThat(column(ColumnType.REAL).coerce(0.1)).isEqualTo(0.1f);
    assertThat(column(ColumnType.TEXT).coerce(new BigDecimal("1E+3"))).isEqualTo("1000");
    assertThat(column(ColumnType.TEXT).coerce(true)).isEqualTo("true");
    assertThat(column(ColumnType.TEXT).coerce('c')).isEqualTo("c");
    assertThat(column(ColumnType.TEXT).coerce(new UUID(0, 1)))
        .isEqualTo("00000000-0000-0000-0000-000000000001");
    assertThat(column(ColumnType.BYTES).coerce("é")).isEqualTo("é".getBytes(UTF_8));
    assertThat(column(ColumnType.BOOLEAN).coerce(0)).isEqualTo(false);
    assertThat(column(ColumnType.JSON).coerce(5)).isEqualTo("5");
    OffsetDateTime utc = OffsetDateTime.parse("2026-01-31T12:00Z");
    assertThat(column(ColumnType.TIMESTAMP_WITH_ZONE).coerce(Instant.parse("2026-01-31T12:00:00Z")))
        .isEqualTo(utc);
    assertThat(
            column(ColumnType.TIMESTAMP_WITH_ZONE)
                .coerce(ZonedDateTime.parse("2026-01-31T13:00+01:00[Europe/Berlin]")))
        .isEqualTo(utc);
    assertThat(column(ColumnType.TIMESTAMP).coerce(LocalDateTime.MAX)).isEqualTo(LocalDateTime.MAX);
  }

  @Test
  void whatIsNoTextIsNone() {
    for (Object value :
        List.of("a\0b", "\ud800", new byte[] {(byte) 0xff}, List.of(), new Object(), 'x' + "\0")) {
      assertThatThrownBy(() -> column(ColumnType.TEXT).coerce(value))
          .isInstanceOf(StoreValueException.class)
          .hasMessageContaining("NUL");
    }
    assertThat(column(ColumnType.BYTES).coerce("a\0b")).isEqualTo(new byte[] {'a', 0, 'b'});
    assertThatThrownBy(() -> column(ColumnType.BYTES).coerce(List.of()))
        .isInstanceOf(StoreValueException.class);
  }

  @Test
  void hugeNumbersAreRefusedAtOnce() {
    StoreColumn numeric = column(ColumnType.NUMERIC);
    assertThat(numeric.coerce("9".repeat(1000))).hasToString("9".repeat(1000));
    for (Object value :
        List.of(
            "9".repeat(1001),
            "9".repeat(10_000_000),
            new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE),
            new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE))) {
      for (ColumnType type : List.of(ColumnType.NUMERIC, ColumnType.BIGINT, ColumnType.DOUBLE)) {
        assertThatThrownBy(() -> column(type).coerce(value))
            .as("%s", type)
            .isInstanceOf(StoreValueException.class);
      }
    }
  }
}
