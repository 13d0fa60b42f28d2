package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlRefusalTest {
  private static List<String> told(String message, String sql) {
    return SqlRefusal.of(AdminClient.object().put("code", "sql_42703").put("message", message))
        .under(sql)
        .lines()
        .toList();
  }

  @Test
  void marksThePlaceInItsLine() {
    assertThat(told("no column \"nam\" (at character 12); name is one", "SELECT *,\n\tnam FROM 世界"))
        .containsExactly("no column \"nam\"; name is one [42703]", "   nam FROM 世界", "   ^");
    assertThat(told("wrong (at character 11)", "SELECT 世界 nam"))
        .containsExactly("wrong [42703]", "  SELECT 世界 nam", "              ^");
  }

  @Test
  void marksTheEndAndLongLines() {
    assertThat(told("ended (at character 7)", "SELECT"))
        .containsExactly("ended [42703]", "  SELECT", "        ^");
    List<String> cut = told("wrong (at character 201)", "x".repeat(200) + "HERE" + "y".repeat(200));
    assertThat(cut.get(1)).hasSizeLessThan(82).contains("…x", "HERE", "y…");
    assertThat(cut.get(2).indexOf('^')).isEqualTo(cut.get(1).indexOf("HERE"));
  }

  @Test
  void saysTheMessageAloneWithoutAPlace() {
    assertThat(told("no room", "SELECT 1")).containsExactly("no room [42703]");
    assertThat(told("wrong (at character 99)", "SELECT 1")).containsExactly("wrong [42703]");
  }
}
