package io.keyvalueserve.cli;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;

/** The formats for programs: CSV, and JSON as a whole or a line for each row. */
final class SqlTexts {
  private static final String LINE = "\n";
  private static final String CSV_LINE = "\r\n";

  private SqlTexts() {}

  /** Returns comma-separated values (RFC 4180) below a line of names. NULL is an empty field. */
  static SqlPrinter csv(Consumer<String> out) {
    return new SqlPrinter() {
      @Override
      public boolean begin(List<SqlColumnHead> columns) {
        out.accept(
            String.join(",", columns.stream().map(column -> quoted(column.name())).toList())
                + CSV_LINE);
        return true;
      }

      @Override
      public boolean row(List<SqlCell> row) {
        StringJoiner line = new StringJoiner(",", "", CSV_LINE);
        row.forEach(cell -> line.add(cell.isNull() ? "" : quoted(cell.text())));
        out.accept(line.toString());
        return true;
      }

      @Override
      public void end() {
        // The last line is whole.
      }
    };
  }

  private static String quoted(String text) {
    boolean needsQuotes =
        text.isEmpty() || text.chars().anyMatch(c -> c == ',' || c == '"' || c < ' ');
    return needsQuotes ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }

  /** Returns an object a row, one a line. */
  static SqlPrinter ndjson(Consumer<String> out) {
    return new SqlPrinter() {
      private List<String> names = List.of();

      @Override
      public boolean begin(List<SqlColumnHead> columns) {
        names = columns.stream().map(column -> json(column.name()) + ":").toList();
        return true;
      }

      @Override
      public boolean row(List<SqlCell> row) {
        StringBuilder line = new StringBuilder("{");
        for (int i = 0; i < row.size(); i++) {
          line.append(i == 0 ? "" : ",").append(names.get(i)).append(json(row.get(i)));
        }
        out.accept(line.append('}').append(LINE).toString());
        return true;
      }

      @Override
      public void end() {
        // The last line is whole.
      }
    };
  }

  /** Returns one object, with the columns, and the rows as arrays. */
  static SqlPrinter json(Consumer<String> out) {
    return new SqlPrinter() {
      private long rows;

      @Override
      public boolean begin(List<SqlColumnHead> columns) {
        out.accept(
            "{\"columns\":["
                + String.join(",", columns.stream().map(SqlTexts::json).toList())
                + "],\"rows\":[");
        return true;
      }

      @Override
      public boolean row(List<SqlCell> row) {
        out.accept(
            (rows++ == 0 ? LINE : "," + LINE)
                + "["
                + String.join(",", row.stream().map(SqlTexts::json).toList())
                + "]");
        return true;
      }

      @Override
      public void end() {
        out.accept("],\"rowCount\":" + rows + "}" + LINE);
      }
    };
  }

  private static String json(SqlColumnHead column) {
    return "{\"name\":" + json(column.name()) + ",\"type\":" + json(column.type()) + "}";
  }

  private static String json(SqlCell cell) {
    return switch (cell.kind()) {
      case NULL -> "null";
      case RAW -> cell.text();
      case TEXT -> json(cell.text());
    };
  }

  private static String json(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
