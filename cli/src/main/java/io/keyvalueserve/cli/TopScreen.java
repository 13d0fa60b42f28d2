package io.keyvalueserve.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.cli.TopTable.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A screen of {@code kvs top}: what {@code /api/v1/top} said, as lines that fit the terminal. The
 * same for the same figures, size and state.
 *
 * @param lines as many as the terminal has at most, and none longer than it is wide
 * @param header which of them has the titles of the columns
 * @param state as it is shown: scrolled no further than there are rows
 */
record TopScreen(List<String> lines, int header, TopState state) {
  private static final String HOME = "\u001b[H";
  private static final String REST_OF_LINE = "\u001b[K";
  private static final String REST_OF_SCREEN = "\u001b[J";
  private static final String REVERSE = "\u001b[7m";
  private static final String PLAIN = "\u001b[0m";
  private static final int GAP = 2;
  private static final int LEAST_NAME = 8;

  /** Beside the rows: the summary, the titles, what is wrong, and the keys. */
  private static final int OTHER_LINES = 4;

  TopScreen {
    lines = List.copyOf(lines);
  }

  /**
   * Draws a screen.
   *
   * @param width of the terminal, in columns: 1 or more
   * @param height in lines: 1 or more
   */
  static TopScreen of(JsonNode top, int width, int height, TopState state) {
    TopTable table = state.table();
    List<JsonNode> rows = new ArrayList<>();
    top.path(table.rows()).forEach(rows::add);
    Comparator<JsonNode> order = table.columns().get(state.sort()).order();
    rows.sort(state.isReversed() ? order.reversed() : order);
    int room = Math.max(0, height - OTHER_LINES);
    int from = Math.clamp(state.from(), 0, Math.max(0, rows.size() - room));
    List<JsonNode> shown = rows.subList(from, Math.min(rows.size(), from + room));

    List<String> lines = new ArrayList<>();
    lines.add(summary(top, state));
    int header = lines.size();
    lines.addAll(grid(table, shown, width, state));
    lines.add(wrong(top, state, rows.size(), from + shown.size()));
    while (lines.size() < height - 1) {
      lines.add("");
    }
    lines.add(help(state));
    return new TopScreen(
        lines.stream().limit(height).map(line -> cut(line, width)).toList(),
        header,
        state.scrolledTo(from));
  }

  private static String help(TopState state) {
    return "q quit  m "
        + (state.showsMembers() ? "tenants" : "members")
        + "  <- -> sort  r reverse  up/down scroll  p "
        + (state.isPaused() ? "go on" : "pause");
  }

  private static String summary(JsonNode top, TopState state) {
    long operations = 0;
    for (JsonNode tenant : top.path("tenants")) {
      operations += tenant.path("operationsPerSecond").asLong();
    }
    return "kvs top: "
        + operations
        + " ops/s, tenants "
        + top.path("tenants").size()
        + (top.has("members") ? ", members " + top.path("members").size() : "")
        + (state.isPaused() ? "  PAUSED" : "");
  }

  /** Returns what is missing on the screen. */
  private static String wrong(JsonNode top, TopState state, int rows, int end) {
    List<String> said = new ArrayList<>();
    for (JsonNode member : top.path("silent")) {
      said.add("member " + TextTable.printable(member.asText()) + " gave no answer");
    }
    if (state.showsMembers() && !top.has("members")) {
      said.add("members are shown to operators");
    } else if (end < rows) {
      said.add((rows - end) + " more below");
    }
    return String.join("; ", said);
  }

  // ---- the table

  private static List<String> grid(TopTable table, List<JsonNode> rows, int width, TopState state) {
    List<List<String>> cells = new ArrayList<>();
    cells.add(titles(table, state.sort()));
    for (JsonNode row : rows) {
      cells.add(table.columns().stream().map(column -> column.text().apply(row)).toList());
    }
    int[] widths = new int[table.columns().size()];
    for (List<String> line : cells) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    boolean[] fits = fitting(table, widths, width, state.sort());
    return cells.stream().map(line -> line(table, line, widths, fits)).toList();
  }

  private static List<String> titles(TopTable table, int sort) {
    List<String> titles = new ArrayList<>();
    for (Column column : table.columns()) {
      titles.add((titles.size() == sort ? "*" : "") + column.title());
    }
    return titles;
  }

  /**
   * Returns which columns are shown: always the names, then the column that sorts and those of low
   * rank, as far as they fit.
   */
  private static boolean[] fitting(TopTable table, int[] widths, int width, int sort) {
    boolean[] fits = new boolean[widths.length];
    List<Integer> byRank = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      byRank.add(i);
    }
    byRank.sort(
        Comparator.comparingInt(i -> i == 0 ? -2 : i == sort ? -1 : table.columns().get(i).rank()));
    // A long name makes room for what sorts, and for nothing else.
    if (sort != 0) {
      widths[0] = Math.min(widths[0], Math.max(LEAST_NAME, width - widths[sort] - GAP));
    }
    int left = width + GAP;
    for (int i : byRank) {
      fits[i] = i == 0 || left >= widths[i] + GAP;
      left -= fits[i] ? widths[i] + GAP : 0;
    }
    return fits;
  }

  private static String line(TopTable table, List<String> cells, int[] widths, boolean[] fits) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      if (fits[i]) {
        String cell = cut(cells.get(i), widths[i]);
        String space = " ".repeat(widths[i] - cell.length());
        boolean isNumber = table.columns().get(i).number() != null;
        line.append(isNumber ? space + cell : cell + space).append(" ".repeat(GAP));
      }
    }
    return line.toString().stripTrailing();
  }

  private static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "~";
  }

  // ---- the terminal

  /** All that a terminal has to be sent so that it shows this, whatever it shows now. */
  String frame(int width) {
    StringBuilder frame = new StringBuilder(HOME);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (i == header) {
        frame.append(REVERSE).append(line).append(" ".repeat(width - line.length())).append(PLAIN);
      } else {
        frame.append(line);
      }
      // A line that is full has no rest, and to erase one there takes its last character.
      frame.append(line.length() < width && i != header ? REST_OF_LINE : "");
      frame.append(i < lines.size() - 1 ? "\r\n" : "");
    }
    return frame.append(lines.getLast().length() < width ? REST_OF_SCREEN : "").toString();
  }
}
