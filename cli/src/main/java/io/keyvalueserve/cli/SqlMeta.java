package io.keyvalueserve.cli;

import io.keyvalueserve.cli.KvsCommand.Failure;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The commands that begin with a backslash. Used by one thread. */
final class SqlMeta {
  /** The commands, for completion. */
  static final List<String> WORDS =
      List.of("\\d", "\\di", "\\format", "\\q", "\\timing", "\\x", "\\?");

  private static final String HELP =
      """
      \\d              tables: mappings, and maps as they are
      \\d NAME         the columns and indexes of a table
      \\di             all indexes
      \\x              each row as lines of names and values; again for a table
      \\format FORMAT  table, vertical, csv, json or ndjson
      \\timing         how long each statement takes; again to stop that
      \\?              this list
      \\q              ends, as Ctrl-D does

      A statement ends with a semicolon and may have several lines. Ctrl-C ends the statement
      that runs. The Tab key completes words, names of tables and of columns.""";

  private static final String TABLES =
      "SELECT table_schema AS \"schema\", table_name AS \"table\", mapping_external_name AS \"map\","
          + " is_inferred AS \"inferred\" FROM information_schema.mappings ORDER BY 1, 2";
  private static final String COLUMNS =
      "SELECT column_name AS \"column\", data_type AS \"type\", is_hidden AS \"hidden\""
          + " FROM information_schema.columns WHERE ";
  private static final String INDEXES =
      "SELECT table_schema AS \"schema\", table_name AS \"table\", index_name AS \"index\","
          + " index_type AS \"type\", attributes AS \"attributes\" FROM information_schema.indexes";
  private static final String OF_TABLE = "lower(table_name) = lower(CAST(? AS VARCHAR))";
  private static final String OF_SCHEMA = " AND lower(table_schema) = lower(CAST(? AS VARCHAR))";

  private static final String PART = "(\"(?:[^\"]|\"\")+\"|[^\".\\s]+)";
  private static final Pattern NAME = Pattern.compile("(?:" + PART + "\\.)?" + PART);

  private final SqlShell shell;

  SqlMeta(SqlShell shell) {
    this.shell = shell;
  }

  /**
   * Carries a command out.
   *
   * @return false if it is the one that ends
   * @throws Failure if there is none of the name
   */
  boolean run(String command) {
    String[] words = command.strip().split("\\s+", 2);
    String argument = words.length > 1 ? words[1].replaceFirst(";\\s*$", "") : "";
    PrintWriter out = shell.out();
    switch (words[0].replaceFirst(";$", "")) {
      case "\\d" -> describe(argument);
      case "\\di" -> {
        long _ = shell.show(INDEXES + " ORDER BY 1, 2, 3");
      }
      case "\\x" -> toggleVertical();
      case "\\format" -> setFormat(argument);
      case "\\timing" -> {
        shell.setTiming(!shell.isTiming());
        out.println("Timing is " + (shell.isTiming() ? "on." : "off."));
      }
      case "\\?", "\\h", "\\help" -> out.println(HELP);
      case "\\q", "\\quit", "\\exit" -> {
        return false;
      }
      default ->
          throw new Failure("'" + words[0] + "' is no command of the prompt: \\? lists those");
    }
    out.flush();
    return true;
  }

  private void describe(String name) {
    if (name.isEmpty()) {
      long _ = shell.show(TABLES);
      return;
    }
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      throw new Failure("'" + name + "' is no name of a table: use NAME or OWNER.NAME");
    }
    String table = plain(parts.group(2));
    String schema = parts.group(1);
    String condition = OF_TABLE + (schema == null ? "" : OF_SCHEMA);
    String[] values = schema == null ? new String[] {table} : new String[] {table, plain(schema)};
    shell.out().println("Columns of " + TextTable.printable(table));
    if (shell.show(COLUMNS + condition + " ORDER BY table_schema, ordinal_position", values) == 0) {
      throw new Failure("there is no table '" + table + "': \\d lists those that there are");
    }
    shell.out().println("Indexes of " + TextTable.printable(table));
    long _ = shell.show(INDEXES + " WHERE " + condition + " ORDER BY 1, 3", values);
  }

  /** Returns a name without its quotes. */
  private static String plain(String name) {
    return name.startsWith("\"")
        ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
        : name;
  }

  private void toggleVertical() {
    boolean isVertical = shell.format() == SqlFormatName.VERTICAL;
    shell.setFormat(isVertical ? SqlFormatName.TABLE : SqlFormatName.VERTICAL);
    shell.out().println(isVertical ? "Rows are lines of a table." : "Rows are lines of values.");
  }

  private void setFormat(String name) {
    SqlFormatName found =
        Arrays.stream(SqlFormatName.values())
            .filter(format -> format.label().equals(name.toLowerCase(Locale.ROOT)))
            .findFirst()
            .orElseThrow(
                () ->
                    new Failure(
                        "'"
                            + name
                            + "' is no format: use "
                            + Arrays.stream(SqlFormatName.values())
                                .map(SqlFormatName::label)
                                .collect(Collectors.joining(", "))));
    shell.setFormat(found);
    shell.out().println("The format is " + found.label() + ".");
  }
}
