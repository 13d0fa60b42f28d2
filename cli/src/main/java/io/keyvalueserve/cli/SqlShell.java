package io.keyvalueserve.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements and prints what comes of them, in the format that was chosen last. Used by one
 * thread; {@link #cancel} may be called by any.
 */
final class SqlShell {
  private static final int ROWS_BETWEEN_CHECKS = 1_000;

  private final SqlClient client;
  private final PrintWriter out;
  private final Supplier<Style> style;
  private final AtomicReference<@Nullable SqlResult> running = new AtomicReference<>();
  private Supplier<Predicate<String>> lines;
  private SqlFormatName format;
  private boolean isTiming;

  SqlShell(SqlClient client, PrintWriter out, Supplier<Style> style, SqlFormatName format) {
    this.client = client;
    this.out = out;
    this.style = style;
    this.format = format;
    this.lines =
        () ->
            line -> {
              out.println(line);
              return true;
            };
  }

  /** Returns one that prints elsewhere, in the same format. */
  SqlShell on(PrintWriter other) {
    return new SqlShell(client, other, style, format);
  }

  SqlClient client() {
    return client;
  }

  PrintWriter out() {
    return out;
  }

  SqlFormatName format() {
    return format;
  }

  void setFormat(SqlFormatName format) {
    this.format = format;
  }

  boolean isTiming() {
    return isTiming;
  }

  void setTiming(boolean isTiming) {
    this.isTiming = isTiming;
  }

  /** Has the lines of each result for people taken by what this makes: they say when to end. */
  void pageBy(Supplier<Predicate<String>> lines) {
    this.lines = lines;
  }

  /**
   * Runs a statement.
   *
   * @throws SqlRefusal if it fails; rows that came before are printed
   */
  void run(String sql, List<String> parameters) {
    long begun = System.nanoTime();
    try (SqlResult result = client.run(sql, parameters)) {
      running.set(result);
      if (result.columns().isEmpty()) {
        printUpdated(sql, Math.max(0, result.updated()));
      } else {
        long _ = print(result, format);
      }
    } finally {
      running.set(null);
      out.flush();
    }
    if (isTiming && !format.isForPrograms()) {
      long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
      out.printf(Locale.ROOT, "Time: %.1f ms%n", micros / 1_000.0);
      out.flush();
    }
  }

  /**
   * Runs a query and prints its rows as a table, or in the format for programs that was chosen.
   *
   * @return how many rows there are
   */
  long show(String sql, String... parameters) {
    try (SqlResult result = client.run(sql, List.of(parameters))) {
      return print(result, format.isForPrograms() ? format : SqlFormatName.TABLE);
    } finally {
      out.flush();
    }
  }

  private long print(SqlResult result, SqlFormatName as) {
    Predicate<String> taken = lines.get();
    Consumer<String> text = out::print;
    SqlPrinter printer =
        switch (as) {
          case TABLE -> new SqlTable(taken, style.get());
          case VERTICAL -> new SqlVertical(taken, style.get());
          case CSV -> SqlTexts.csv(text);
          case JSON -> SqlTexts.json(text);
          case NDJSON -> SqlTexts.ndjson(text);
        };
    long rows = 0;
    boolean goesOn = printer.begin(result.columns());
    try {
      while (goesOn) {
        List<SqlCell> row = result.next();
        if (row.isEmpty()) {
          break;
        }
        rows++;
        goesOn = printer.row(row) && (rows % ROWS_BETWEEN_CHECKS != 0 || !out.checkError());
      }
    } finally {
      printer.end();
      out.flush();
    }
    if (!as.isForPrograms()) {
      printCount(rows, goesOn, printer instanceof SqlTable table && table.isShortened());
    }
    return rows;
  }

  private void printCount(long rows, boolean isWhole, boolean isShortened) {
    out.println(
        "("
            + (isWhole ? rows == 1 ? "1 row" : rows + " rows" : "the rest was not read")
            + (isShortened ? "; text is shortened to the screen: \\x shows all of it" : "")
            + ")");
  }

  private void printUpdated(String sql, long updated) {
    switch (format) {
      case JSON, NDJSON -> out.print("{\"updated\":" + updated + "}\n");
      case CSV -> out.print("updated\r\n" + updated + "\r\n");
      case TABLE, VERTICAL ->
          out.println(
              updated == 0 && !isWrite(sql)
                  ? "Done."
                  : updated == 1 ? "1 row written." : updated + " rows written.");
    }
  }

  private static boolean isWrite(String sql) {
    String begin = sql.stripLeading().toUpperCase(Locale.ROOT);
    return begin.startsWith("INSERT")
        || begin.startsWith("SINK")
        || begin.startsWith("UPDATE")
        || begin.startsWith("DELETE");
  }

  /** Asks the server to end the statement that runs. */
  void cancel() {
    client.cancel();
  }

  /** Ends the connection of the result that is printed, if there is one. */
  void abandon() {
    SqlResult result = running.get();
    if (result != null) {
      result.close();
    }
  }
}
