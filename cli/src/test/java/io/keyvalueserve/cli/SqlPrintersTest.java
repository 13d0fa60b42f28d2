package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.cli.KvsCommand.Failure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Results, read from the server's JSON and printed in each format. */
class SqlPrintersTest {
  private static final String ANSWER =
      """
      {"columns":[{"name":"id","type":"BIGINT"},{"name":"a\\"b","type":"VARCHAR"},
        {"name":"price","type":"DECIMAL"},{"name":"doc","type":"JSON"}],
      "rows":[[1,"Grüße, 世界",12.50,{"a":[1,2.0],"b":"x"}],[-20,null,1E+3,null],[300,"",0,[true]],
        [4,"two\\nlines\\u001b[31m",7,"no JSON"]],"rowCount":4}
      """;

  private static SqlResult result(String answer) {
    return SqlResult.open(
        new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)), () -> {});
  }

  private static void feed(SqlResult result, SqlPrinter printer) {
    boolean goesOn = printer.begin(result.columns());
    while (goesOn) {
      List<SqlCell> row = result.next();
      if (row.isEmpty()) {
        break;
      }
      goesOn = printer.row(row);
    }
    printer.end();
  }

  private static List<String> lines(Function<List<String>, SqlPrinter> printer) {
    List<String> lines = new ArrayList<>();
    feed(result(ANSWER), printer.apply(lines));
    return lines;
  }

  private static String text(Function<StringBuilder, SqlPrinter> printer) {
    StringBuilder text = new StringBuilder();
    feed(result(ANSWER), printer.apply(text));
    return text.toString();
  }

  @Test
  void linesColumnsUpAndEndsNumbersTogether() {
    assertThat(lines(out -> new SqlTable(out::add, Style.PLAIN)))
        .containsExactly(
            " id │ a\"b            │ price │ doc",
            "────┼────────────────┼───────┼──────────────────────",
            "  1 │ Grüße, 世界    │ 12.50 │ {\"a\":[1,2.0],\"b\":\"x\"}",
            "-20 │ NULL           │  1E+3 │ NULL",
            "300 │                │     0 │ [true]",
            "  4 │ two↵lines?[31m │     7 │ no JSON");
  }

  @Test
  void shortensTextToTheScreenButNoNumber() {
    List<String> lines = lines(out -> new SqlTable(out::add, new Style(40, false)));
    assertThat(lines).allMatch(line -> DisplayWidth.of(line) <= 40);
    assertThat(lines).anyMatch(line -> line.contains("…"));
    assertThat(lines.get(3)).startsWith("-20 │ NULL").contains("1E+3");
  }

  @Test
  void printsRowsBeforeTheLastHasCome() {
    List<String> lines = new ArrayList<>();
    SqlTable table = new SqlTable(lines::add, Style.PLAIN);
    table.begin(List.of(new SqlColumnHead("n", "INTEGER")));
    for (int i = 0; i < 100; i++) {
      table.row(List.of(new SqlCell(SqlCell.Kind.RAW, "1")));
    }
    assertThat(lines).hasSize(102);
    table.row(List.of(new SqlCell(SqlCell.Kind.RAW, "1234567")));
    assertThat(lines).hasSize(103).last().isEqualTo("1234567");
    table.end();
    assertThat(lines).hasSize(103);
  }

  @Test
  void endsWhenNoMoreIsWanted() {
    List<String> lines = new ArrayList<>();
    SqlTable table =
        new SqlTable(
            line -> {
              lines.add(line);
              return lines.size() < 3;
            },
            Style.PLAIN);
    feed(result(ANSWER), table);
    assertThat(lines).hasSize(3);
  }

  @Test
  void printsRowsAsLinesOfValues() {
    assertThat(lines(out -> new SqlVertical(out::add, Style.PLAIN)).subList(0, 10))
        .containsExactly(
            "─ row 1 ─────",
            "id    │ 1",
            "a\"b   │ Grüße, 世界",
            "price │ 12.50",
            "doc   │ {\"a\":[1,2.0],\"b\":\"x\"}",
            "─ row 2 ─────",
            "id    │ -20",
            "a\"b   │ NULL",
            "price │ 1E+3",
            "doc   │ NULL");
  }

  @Test
  void writesCommaSeparatedValues() {
    assertThat(text(out -> SqlTexts.csv(out::append)))
        .isEqualTo(
            String.join(
                "\r\n",
                "id,\"a\"\"b\",price,doc",
                "1,\"Grüße, 世界\",12.50,\"{\"\"a\"\":[1,2.0],\"\"b\"\":\"\"x\"\"}\"",
                "-20,,1E+3,",
                "300,\"\",0,[true]",
                "4,\"two\nlines\u001b[31m\",7,no JSON",
                ""));
  }

  @Test
  void writesJsonThatSaysTheSame() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode wanted = mapper.readTree(ANSWER);
    assertThat(mapper.readTree(text(out -> SqlTexts.json(out::append)))).isEqualTo(wanted);
    String[] lines = text(out -> SqlTexts.ndjson(out::append)).split("\n", -1);
    assertThat(lines).hasSize(5);
    assertThat(lines[0])
        .isEqualTo(
            "{\"id\":1,\"a\\\"b\":\"Grüße, 世界\",\"price\":12.50,\"doc\":{\"a\":[1,2.0],\"b\":\"x\"}}");
  }

  @Test
  void tellsOfFailuresAfterTheFirstRows() {
    SqlResult failed =
        result(
            """
            {"columns":[{"name":"n","type":"INTEGER"}],"rows":[[1]],"rowCount":1,
            "error":{"code":"sql_57014","message":"the statement was canceled"}}""");
    assertThat(failed.next()).hasSize(1);
    assertThatThrownBy(failed::next)
        .isInstanceOf(SqlRefusal.class)
        .hasMessage("the statement was canceled");

    SqlResult cut = result("{\"columns\":[{\"name\":\"n\",\"type\":\"INTEGER\"}],\"rows\":[[1],[2");
    assertThat(cut.next()).hasSize(1);
    assertThatThrownBy(cut::next)
        .isInstanceOf(Failure.class)
        .hasMessageContaining("not all of the result was received");
  }

  @Test
  void readsHowManyRowsWereWritten() {
    SqlResult written = result("{\"updated\":12}");
    assertThat(written.updated()).isEqualTo(12);
    assertThat(written.columns()).isEmpty();
    assertThat(written.next()).isEmpty();
  }
}
