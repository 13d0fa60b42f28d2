package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser.ParseContext;
import org.junit.jupiter.api.Test;

class SqlCompletionTest {
  private static final SqlNames NAMES =
      new SqlNames(
          Map.of(
              "people", List.of("__key", "name", "city"),
              "orders", List.of("__key", "amount", "order"),
              "\"my-map\"", List.of("__key", "this"),
              "globex.stock", List.of("__key", "count")));

  /** Completes at the bar. */
  private static List<String> at(String line) {
    int cursor = line.indexOf('|');
    ParsedLine parsed =
        new SqlLineParser().parse(line.replace("|", ""), cursor, ParseContext.COMPLETE);
    return SqlCompletion.candidates(
        parsed.words().getFirst(),
        parsed.word().substring(0, parsed.wordCursor()),
        line.substring(cursor + 1),
        NAMES);
  }

  @Test
  void completesTablesWhereTablesStand() {
    assertThat(at("SELECT * FROM |"))
        .containsExactlyInAnyOrder("people", "orders", "\"my-map\"", "globex.stock");
    assertThat(at("SELECT * FROM pe|")).containsExactly("people");
    assertThat(at("SELECT * FROM people JOIN o|")).containsExactly("orders");
    assertThat(at("INSERT INTO my|")).containsExactly("\"my-map\"");
    assertThat(at("CREATE INDEX i ON or|")).containsExactly("orders");
    assertThat(at("SELECT * FROM globex.|")).containsExactly("stock");
  }

  @Test
  void completesColumnsOfTheTablesThatAreNamed() {
    assertThat(at("SELECT na| FROM people")).containsExactly("name");
    assertThat(at("SELECT na|")).containsExactly("name");
    assertThat(at("SELECT | FROM people"))
        .contains("name", "city", "__key", "COUNT", "people")
        .doesNotContain("amount");
  }

  @Test
  void completesColumnsByAlias() {
    assertThat(at("SELECT p.| FROM people p, orders AS o"))
        .containsExactly("__key", "name", "city");
    assertThat(at("SELECT o.o| FROM people p JOIN orders AS o ON true"))
        .containsExactly("\"order\"");
    assertThat(at("SELECT * FROM people WHERE people.c|")).containsExactly("city");
    assertThat(at("SELECT * FROM PEOPLE WHERE ci|")).containsExactly("city");
  }

  @Test
  void completesWordsInTheCaseInWhichTheyBegin() {
    assertThat(at("SEL|")).containsExactly("SELECT");
    assertThat(at("sel|")).containsExactly("select");
    assertThat(at("SELECT * FROM people WHERE name IS |")).contains("NULL", "NOT");
    assertThat(at("CREATE M|")).contains("MAX");
  }

  @Test
  void goesOnUntilTheSemicolon() {
    SqlLineParser parser = new SqlLineParser();
    assertThatThrownBy(() -> parser.parse("SELECT 1", 8, ParseContext.ACCEPT_LINE))
        .isInstanceOf(EOFError.class);
    for (String complete : List.of("SELECT 1;", "\\d people", "exit", "", "help")) {
      assertThat(parser.parse(complete, 0, ParseContext.ACCEPT_LINE).line()).isEqualTo(complete);
    }
  }
}
