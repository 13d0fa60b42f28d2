package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.cli.SqlSplitter.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlSplitterTest {
  private static final String MIXED =
      """
      -- a comment; with a semicolon
      SELECT 'it''s; one' AS "a;b", `c;d`, E'\\';' FROM t; /* ; /* nested; */ */
      SELECT $$a;'b$$, $tag$x;$$;$tag$, $1
        FROM u
      ;;
      \\d t
      INSERT INTO t VALUES ('
      ;')""";

  @Test
  void splitsAtSemicolonsOfTheStatementAlone() {
    assertThat(SqlSplitter.split(MIXED))
        .containsExactly(
            new Statement(
                """
                -- a comment; with a semicolon
                SELECT 'it''s; one' AS "a;b", `c;d`, E'\\';' FROM t""",
                2),
            new Statement(
                """
                /* ; /* nested; */ */
                SELECT $$a;'b$$, $tag$x;$$;$tag$, $1
                  FROM u""",
                3),
            new Statement("\\d t", 6),
            new Statement("INSERT INTO t VALUES ('\n;')", 7));
  }

  @Test
  void saysTheSameWhereverTheTextIsCut() {
    List<Statement> whole = SqlSplitter.split(MIXED);
    Random random = new Random(1);
    for (int round = 0; round < 50; round++) {
      SqlSplitter splitter = new SqlSplitter();
      List<Statement> found = new ArrayList<>();
      List<String> lines = List.of(MIXED.split("(?<=\n)", -1));
      for (int i = 0; i < lines.size(); ) {
        int count = 1 + random.nextInt(3);
        int end = Math.min(lines.size(), i + count);
        found.addAll(splitter.add(String.join("", lines.subList(i, end))));
        i = end;
      }
      found.addAll(splitter.end());
      assertThat(found).isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "SELECT 'a;",
        "SELECT \"a;",
        "/* a;",
        "SELECT $$;",
        "SELECT 1; SELECT"
      })
  void knowsWhatIsUnfinished(String text) {
    assertThat(SqlSplitter.isUnfinished(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "SELECT 1;", "SELECT 1; -- done", "\\d", "-- nothing", ";"})
  void knowsWhatIsComplete(String text) {
    assertThat(SqlSplitter.isUnfinished(text)).isFalse();
  }

  @Test
  void findsNoStatementInCommentsAndSpace() {
    assertThat(SqlSplitter.split(" ; -- a\n/* b */ ;;\n")).isEmpty();
  }

  @Test
  void keepsABackslashWithinAStatement() {
    assertThat(SqlSplitter.split("SELECT '\\', 2;\nSELECT E'\\\\';"))
        .containsExactly(new Statement("SELECT '\\', 2", 1), new Statement("SELECT E'\\\\'", 2));
  }
}
