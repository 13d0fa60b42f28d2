package io.keyvalueserve.stores;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRowsTest {
  private static final List<StoreColumn> COLUMNS =
      List.of(
          new StoreColumn("name", ColumnType.TEXT, true),
          new StoreColumn("big", ColumnType.BIGINT, true),
          new StoreColumn("price", ColumnType.NUMERIC, true),
          new StoreColumn("data", ColumnType.JSON, true),
          new StoreColumn("raw", ColumnType.BYTES, true),
          new StoreColumn("day", ColumnType.DATE, true),
          new StoreColumn("ok", ColumnType.BOOLEAN, true),
          new StoreColumn("ratio", ColumnType.DOUBLE, true));

  private static @Nullable Object[] read(String json) {
    return JsonRows.fromJson(COLUMNS, json.getBytes(UTF_8));
  }

  private static String written(@Nullable Object... values) {
    List<StoreColumn> all = new ArrayList<>(COLUMNS);
    all.addFirst(new StoreColumn("id", ColumnType.TEXT, false));
    return new String(JsonRows.toJson(all, new Row("k", values)), UTF_8);
  }

  @Test
  void rowsAreObjectsWithExactNumbers() {
    @Nullable Object[] values = {
      "é\"",
      Long.MAX_VALUE,
      new BigDecimal("12345678901234567890.1234567890123456789010"),
      "{\"a\": [1.50]}",
      new byte[] {-1, 0, 1},
      LocalDate.of(2026, 1, 31),
      true,
      Double.NaN
    };
    String json =
        "{\"name\":\"é\\\"\",\"big\":9223372036854775807,"
            + "\"price\":12345678901234567890.1234567890123456789010,\"data\":{\"a\": [1.50]},"
            + "\"raw\":\"/wAB\",\"day\":\"2026-01-31\",\"ok\":true,\"ratio\":\"NaN\"}";
    assertThat(written(values)).isEqualTo(json);
    assertThat(read(json)).isEqualTo(values);
  }

  @Test
  void whatIsMissingIsNull() {
    assertThat(read("{}")).hasSize(8).containsOnlyNulls();
    assertThat(read("{\"name\":null,\"data\":null}")).containsOnlyNulls();
    assertThat(read(written(new @Nullable Object[8]))).containsOnlyNulls();
  }

  @Test
  void documentsAreKeptAsTheyAreSpelled() {
    assertThat(read("{\"data\": {\"b\": 1.10, \"a\":[ ]} }")[3])
        .isEqualTo("{\"b\": 1.10, \"a\":[ ]}");
    assertThat(read("{\"name\":[1,\"é\", {}]}")[0]).isEqualTo("[1,\"é\", {}]");
    assertThat(read("{\"data\":\"x\\n\"}")[3]).isEqualTo("\"x\\n\"");
    assertThat(read("{\"data\":12345678901234567890.0}")[3]).isEqualTo("12345678901234567890.0");
    assertThat(read("{\"data\":true}")[3]).isEqualTo("true");
    String large = "[\"" + "é".repeat(100_000) + "\", 1]";
    assertThat(read("{\"name\":\"n\",\"data\":" + large + ",\"big\":1}")).contains("n", large, 1L);
  }

  @Test
  void numbersAndTextsBecomeWhatTheColumnIs() {
    assertThat(read("{\"name\":1.50,\"big\":\"7\",\"price\":1e2,\"ok\":1,\"ratio\":-0.0}"))
        .containsExactly("1.50", 7L, new BigDecimal("100"), null, null, null, true, -0.0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "1",
        "null",
        "{",
        "{}}",
        "{} 1",
        "{\"name\":}",
        "{\"name\":1,\"name\":2}",
        "{\"other\":1}",
        "{\"big\":{}}",
        "{\"big\":1.5}",
        "{\"big\":true}",
        "{\"raw\":\"$\"}",
        "{\"raw\":1}",
        "{\"day\":20260131}",
        "{\"name\":\"\\u0000\"}",
        "{\"name\":\"\\ud800\"}",
        "\ufeff\ufeff{}",
      })
  void otherThingsAreNoRows(String json) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(StoreValueException.class);
  }

  @Test
  void problemsNameTheFieldAndNoValue() {
    assertThatThrownBy(() -> read("{\"nmae\":\"secret\"}"))
        .hasMessageContainingAll("field 'nmae'", "no column")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> read("{\"" + "x".repeat(1000) + "\n\":1}"))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    assertThatThrownBy(() -> read("{\"big\":\"secret\"}"))
        .hasMessageContainingAll("column big", "whole number")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> read("{\"name\": secret}")).hasMessageNotContaining("secret");
  }

  @Test
  void sizesAreBounded() {
    String deep = "[".repeat(100_000) + "]".repeat(100_000);
    assertThatThrownBy(() -> read("{\"data\":" + deep + "}"))
        .isInstanceOf(StoreValueException.class);
    assertThatThrownBy(() -> read("{\"price\":" + "9".repeat(100_000) + "}"))
        .isInstanceOf(StoreValueException.class);
    assertThatThrownBy(() -> JsonRows.fromJson(COLUMNS, new byte[] {'{', (byte) 0xff, '}'}))
        .isInstanceOf(StoreValueException.class)
        .hasMessageContaining("UTF-8");
  }
}
