package io.keyvalueserve.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Prints rows in columns that line up. The first rows are kept until there are enough to choose the
 * widths; a value of a later row that is wider moves the rest of its line. On a terminal, long text
 * is shortened so that a line is as wide as the screen. Numbers never are.
 */
final class SqlTable implements SqlPrinter {
  static final String NULL = "NULL";

  private static final int KEPT_ROWS = 100;
  private static final int LEAST_WIDTH = 8;
  private static final String GAP = " │ ";
  private static final String CROSS = "─┼─";

  private final Predicate<String> out;
  private final Style style;
  private final List<String[]> kept = new ArrayList<>();
  private List<SqlColumnHead> columns = List.of();
  private int[] widths = new int[0];
  private boolean isBegun;
  private boolean isShortened;
  private boolean goesOn = true;

  /**
   * @param out takes a line; false if no more is wanted
   */
  SqlTable(Predicate<String> out, Style style) {
    this.out = out;
    this.style = style;
  }

  @Override
  public boolean begin(List<SqlColumnHead> columns) {
    this.columns = columns;
    return true;
  }

  @Override
  public boolean row(List<SqlCell> row) {
    String[] cells = row.stream().map(SqlTable::shown).toArray(String[]::new);
    if (isBegun) {
      print(cells);
    } else {
      kept.add(cells);
      if (kept.size() == KEPT_ROWS) {
        printKept();
      }
    }
    return goesOn;
  }

  /** Returns a value on one line. */
  private static String shown(SqlCell cell) {
    return cell.isNull()
        ? NULL
        : TextTable.printable(
            cell.text().replace("\r\n", "↵").replace('\n', '↵').replace('\t', ' '));
  }

  @Override
  public void end() {
    if (!isBegun) {
      printKept();
    }
  }

  /** Returns whether text was shortened. */
  boolean isShortened() {
    return isShortened;
  }

  private void printKept() {
    isBegun = true;
    widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      int column = i;
      int widest = kept.stream().mapToInt(row -> DisplayWidth.of(row[column])).max().orElse(0);
      widths[i] = Math.max(widest, DisplayWidth.of(TextTable.printable(columns.get(i).name())));
    }
    narrow();
    StringBuilder heads = new StringBuilder();
    StringBuilder rule = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String name =
          DisplayWidth.shortened(
              TextTable.printable(columns.get(i).name()), Math.max(1, widths[i]));
      heads.append(i == 0 ? "" : GAP).append(padded(name, i, style.heading(name)));
      rule.append(i == 0 ? "" : CROSS).append("─".repeat(widths[i]));
    }
    say(heads.toString().stripTrailing());
    say(rule.toString());
    kept.forEach(this::print);
    kept.clear();
  }

  /** Takes from the widest columns of text what is too much for the terminal. */
  private void narrow() {
    if (style.columns() == Style.UNBOUNDED) {
      return;
    }
    int excess =
        Arrays.stream(widths).sum()
            + GAP.length() * Math.max(0, widths.length - 1)
            - style.columns();
    while (excess > 0) {
      int widest = widestOfText();
      if (widest < 0) {
        return;
      }
      widths[widest]--;
      excess--;
    }
  }

  private int widestOfText() {
    int widest = -1;
    for (int i = 0; i < widths.length; i++) {
      boolean mayShrink = !columns.get(i).isNumber() && widths[i] > LEAST_WIDTH;
      if (mayShrink && (widest < 0 || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    return widest;
  }

  private void print(String[] cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      String cell = cells[i];
      boolean isCut = isBounded(i) && DisplayWidth.of(cell) > widths[i];
      isShortened |= isCut;
      String text = isCut ? DisplayWidth.shortened(cell, Math.max(1, widths[i])) : cell;
      line.append(i == 0 ? "" : GAP).append(padded(text, i, text));
    }
    say(line.toString().stripTrailing());
  }

  private boolean isBounded(int column) {
    return style.columns() != Style.UNBOUNDED && !columns.get(column).isNumber();
  }

  private String padded(String text, int column, String look) {
    String pad = " ".repeat(Math.max(0, widths[column] - DisplayWidth.of(text)));
    return columns.get(column).isNumber() ? pad + look : look + pad;
  }

  private void say(String line) {
    goesOn = goesOn && out.test(line);
  }
}
