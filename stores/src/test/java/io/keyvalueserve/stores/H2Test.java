package io.keyvalueserve.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What H2 alone has. */
class H2Test {
  @ParameterizedTest
  @CsvSource({
    "varchar(20), TEXT, x",
    "varchar_ignorecase, TEXT, x",
    "char(5), TEXT, 'x    '",
    "clob, TEXT, x",
    "'ENUM(''happy'', ''sad'')', TEXT, happy",
    "blob, BYTES, x",
    "binary(1), BYTES, x",
    "tinyint, SMALLINT, 7",
    "identity, BIGINT, 7",
    "decfloat, NUMERIC, 7.5",
    "'decimal(8,2)', NUMERIC, 7.50",
    "json, JSON, '{\"a\":1.50}'",
    "timestamp(0), TIMESTAMP, 2026-01-31T12:00",
  })
  void mapsTypes(String sql, ColumnType type, String value) {
    Backends.H2.execute(
        "DROP TABLE IF EXISTS typed", "CREATE TABLE typed (k int UNIQUE, v " + sql + ")");
    try (Database database = new Database(Backends.H2.address())) {
      StoreTable table = database.table(new TableSpec("typed", "k", List.of("v")));
      assertThat(table.columns().get(1).type()).isEqualTo(type);
      table.write(List.of(Change.put(1, value)));
      Object read =
          Objects.requireNonNull(Objects.requireNonNull(table.load(List.of(1)).get(0)).values()[0]);
      assertThat(ScalarValues.toBytes(type, read)).asString().isEqualTo(value);
    }
  }

  @ParameterizedTest
  @CsvSource({"int array", "interval day", "geometry", "time with time zone", "java_object"})
  void refusesOtherTypes(String sql) {
    Backends.H2.execute(
        "DROP TABLE IF EXISTS other", "CREATE TABLE other (k int PRIMARY KEY, odd " + sql + ")");
    try (Database database = new Database(Backends.H2.address())) {
      assertThatThrownBy(() -> database.table(new TableSpec("other", "k", List.of("odd"))))
          .isInstanceOf(StoreException.class)
          .hasMessageContainingAll("table other: column odd is of type ", "not supported");
    }
  }

  @Test
  void wrongPasswordsAreMisconfigured() {
    Backends.H2.execute("CREATE USER IF NOT EXISTS guarded PASSWORD 'correct-horse'");
    StoreAddress wrong =
        new StoreAddress(
            Backends.H2.url() + ";PASSWORD=battery-staple",
            "guarded",
            null,
            1,
            Duration.ofSeconds(1));
    try (Database database = new Database(wrong)) {
      assertThatThrownBy(database::check)
          .isInstanceOf(StoreException.class)
          .hasMessageContainingAll("28000", "check user and password")
          .hasMessageNotContaining("battery")
          .extracting("kind")
          .isEqualTo(StoreException.Kind.MISCONFIGURED);
    }
  }
}
