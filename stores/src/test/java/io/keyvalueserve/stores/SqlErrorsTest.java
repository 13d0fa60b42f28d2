package io.keyvalueserve.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.stores.StoreException.Kind;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlErrorsTest {
  @ParameterizedTest
  @CsvSource({
    "08006, UNAVAILABLE",
    "57P01, UNAVAILABLE",
    "57P03, UNAVAILABLE",
    "57P04, MISCONFIGURED",
    "57014, UNAVAILABLE",
    "53300, UNAVAILABLE",
    "40001, UNAVAILABLE",
    "40P01, UNAVAILABLE",
    "25006, UNAVAILABLE",
    "55P03, UNAVAILABLE",
    "XX000, UNAVAILABLE",
    "22P02, REFUSED",
    "23505, REFUSED",
    "P0001, REFUSED",
    "54000, REFUSED",
    "42P01, MISCONFIGURED",
    "28P01, MISCONFIGURED",
    "3D000, MISCONFIGURED",
    "3F000, MISCONFIGURED",
    "0A000, MISCONFIGURED",
    ", UNAVAILABLE",
    "'', UNAVAILABLE",
  })
  void statesSayWhatToDo(String state, Kind kind) {
    assertThat(SqlErrors.kind(state)).isEqualTo(kind);
  }

  @Test
  void messagesAreShortAndWithoutPasswordsAndValues() {
    StoreAddress address =
        new StoreAddress("jdbc:h2:mem:x", "u", "pa55word", 1, Duration.ofSeconds(1));
    StoreException away =
        SqlErrors.translate(
            "table t", address, new SQLException("no pa55word " + "x".repeat(999), "08001"));
    assertThat(away.getMessage()).startsWith("table t: no *** x").hasSize(300);
    StoreException refused =
        SqlErrors.translate("table t", address, new SQLException("VALUES (secret)", "23505"));
    assertThat(refused.getMessage()).contains("23505", "unique").doesNotContain("secret");
    StoreException sql =
        SqlErrors.translate(
            "table t",
            address,
            new SQLException("Table \"T\" not found; SQL statement:\nSELECT secret", "42S02"));
    assertThat(sql.getMessage()).isEqualTo("table t: Table \"T\" not found (SQLSTATE 42S02)");
  }
}
