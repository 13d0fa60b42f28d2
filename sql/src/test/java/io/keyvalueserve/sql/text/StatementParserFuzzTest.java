package io.keyvalueserve.sql.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.sql.failure.SqlFailure;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Goal: every text is a statement, or fails with a place that is in it. Random pieces are put
 * together; {@link StatementFuzzTargets} searches.
 */
class StatementParserFuzzTest {
  private static final int RUNS = 20_000;
  private static final String[] PIECES = {
    "SELECT",
    "FROM",
    "t",
    "\"a b\"",
    "`c`",
    "'x''y'",
    "E'\\n\\u0041'",
    "$$q$$",
    "$1",
    "?",
    "1.5e3",
    "::",
    "int",
    "numeric(3,2)",
    "[",
    "]",
    "(",
    ")",
    ",",
    ".",
    ";",
    "CASE",
    "END",
    "ANY",
    "ARRAY",
    "=",
    "!~*",
    "->>",
    "OPERATOR(pg_catalog.~)",
    "COLLATE",
    "pg_catalog",
    "INTERVAL",
    "'1 day'",
    "DATE",
    "TIMESTAMP",
    "WITH",
    "TIME",
    "ZONE",
    "CREATE",
    "MAPPING",
    "OPTIONS",
    "TYPE",
    "IMap",
    "INDEX",
    "ON",
    "DROP",
    "IF",
    "NOT",
    "EXISTS",
    "EXPLAIN",
    "ANALYZE",
    "SHOW",
    "SINK",
    "INTO",
    "--c\n",
    "/*",
    "*/",
    "X'41'",
    "U&'\\0041'",
    "é",
    "\\",
    "\n",
    "CURRENT_TIMESTAMP",
    "EXTERNAL",
    "NAME",
    "OR",
    "REPLACE",
    "-",
    "'",
    "\""
  };

  @Test
  void piecesOfStatements() {
    Random random = new Random(Long.getLong("kvs.seed", 1));
    for (int run = 0; run < RUNS; run++) {
      StringBuilder text = new StringBuilder();
      int pieces = 1 + random.nextInt(14);
      for (int i = 0; i < pieces; i++) {
        text.append(PIECES[random.nextInt(PIECES.length)]);
        text.append(random.nextInt(4) == 0 ? "" : " ");
      }
      check(text.toString());
    }
  }

  static void check(String text) {
    Command command;
    try {
      command = StatementParser.parse(text, 50);
    } catch (SqlFailure e) {
      assertThat(e.position()).as("%s: %s", text, e.getMessage()).isBetween(1, text.length() + 1);
      assertThat(e.state()).hasSize(5);
      return;
    }
    if (command instanceof Command.Query query) {
      ParserText rewritten = query.text();
      int lines = 1;
      int column = 0;
      for (int i = 0; i < rewritten.text().length(); i++) {
        column++;
        assertThat(rewritten.position(lines, column)).isBetween(1, text.length() + 1);
        if (rewritten.text().charAt(i) == '\n') {
          lines++;
          column = 0;
        }
      }
    }
  }
}
