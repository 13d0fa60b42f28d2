package io.keyvalueserve.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Rows of text in columns that line up. Columns of numbers end together; the others are shortened
 * where the table is wider than the terminal, numbers never.
 */
final class TextTable {
  private static final String GAP = "  ";
  private static final int LEAST_COLUMNS = 6;
  private static final String STATE = "STATE";
  private static final Pattern NUMBER =
      Pattern.compile("-?\\d+(\\.\\d+)?( ?([KMGT]iB|B|%|ms|s|[a-z]{1,2}s))?");

  private final List<String[]> rows = new ArrayList<>();
  private final boolean hasHead;
  private List<String> shortenedFirst = List.of();

  /** A table under a line of headings. */
  TextTable(String... head) {
    this(true, head);
  }

  private TextTable(boolean hasHead, String... first) {
    this.hasHead = hasHead;
    add(first);
  }

  /** A table of two columns without headings: what something is called, and what it is. */
  static TextTable ofFacts(String name, String value) {
    return new TextTable(false, name, value);
  }

  void add(String... row) {
    rows.add(Arrays.stream(row).map(TextTable::printable).toArray(String[]::new));
  }

  /** Says which columns give way first, in this order; the others do from the widest on. */
  TextTable shortening(String... headings) {
    shortenedFirst = List.of(headings);
    return this;
  }

  /** A name is a tenant's choice, and must not move the cursor or turn the line around. */
  static String printable(String name) {
    return name.codePoints()
        .map(c -> Character.isISOControl(c) || isTurning(c) ? '?' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** The embeddings, overrides and isolates of Unicode Standard Annex 9. */
  private static boolean isTurning(int codePoint) {
    return (codePoint >= 0x202a && codePoint <= 0x202e)
        || (codePoint >= 0x2066 && codePoint <= 0x2069);
  }

  @Override
  public String toString() {
    return in(Style.PLAIN);
  }

  /** The lines as they may look. */
  String in(Style style) {
    int columns = rows.getFirst().length;
    boolean[] isNumber = new boolean[columns];
    int[] widths = new int[columns];
    for (int i = 0; i < columns; i++) {
      isNumber[i] = isNumber(i);
      int column = i;
      widths[i] = rows.stream().mapToInt(row -> DisplayWidth.of(row[column])).max().orElse(0);
    }
    if (hasHead && style.columns() != Style.UNBOUNDED) {
      narrow(widths, isNumber, style.columns());
    }
    List<String> lines = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      lines.add(line(row, widths, isNumber, style));
    }
    return String.join(System.lineSeparator(), lines);
  }

  private boolean isNumber(int column) {
    if (!hasHead) {
      return false;
    }
    List<String> cells =
        rows.stream().skip(1).map(row -> row[column]).filter(cell -> !cell.isEmpty()).toList();
    return !cells.isEmpty() && cells.stream().allMatch(cell -> NUMBER.matcher(cell).matches());
  }

  /** Takes from one column after the other what is too much, but leaves each a little. */
  private void narrow(int[] widths, boolean[] isNumber, int most) {
    int excess = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - most;
    for (int column : order(widths, isNumber)) {
      int least = Math.max(LEAST_COLUMNS, DisplayWidth.of(rows.getFirst()[column]));
      int taken = Math.clamp(excess, 0, Math.max(0, widths[column] - least));
      widths[column] -= taken;
      excess -= taken;
    }
  }

  private List<Integer> order(int[] widths, boolean[] isNumber) {
    List<String> head = List.of(rows.getFirst());
    List<Integer> order = new ArrayList<>();
    shortenedFirst.stream().map(head::indexOf).filter(column -> column >= 0).forEach(order::add);
    IntStream.range(0, widths.length)
        .boxed()
        .filter(column -> !order.contains(column))
        .sorted(Comparator.comparingInt((Integer column) -> widths[column]).reversed())
        .toList()
        .forEach(order::add);
    order.removeIf(column -> isNumber[column]);
    return order;
  }

  private String line(int row, int[] widths, boolean[] isNumber, Style style) {
    String[] cells = rows.get(row);
    boolean isHead = hasHead && row == 0;
    StringBuilder line = new StringBuilder();
    int last = lastFilled(cells);
    for (int i = 0; i <= last; i++) {
      String cell = DisplayWidth.shortened(cells[i], Math.max(1, widths[i]));
      String pad = " ".repeat(widths[i] - DisplayWidth.of(cell));
      String look = colored(cell, i, isHead, style);
      line.append(isNumber[i] ? pad + look : i == last ? look : look + pad);
      line.append(i == last ? "" : GAP);
    }
    return line.toString();
  }

  private static int lastFilled(String[] cells) {
    int last = cells.length - 1;
    while (last > 0 && cells[last].isEmpty()) {
      last--;
    }
    return last;
  }

  private String colored(String cell, int column, boolean isHead, Style style) {
    if (isHead) {
      return cell.isEmpty() ? cell : style.heading(cell);
    }
    return hasHead && rows.getFirst()[column].equals(STATE) ? style.state(cell) : cell;
  }
}
