package io.keyvalueserve.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Prints each row as lines of names and values. */
final class SqlVertical implements SqlPrinter {
  private static final String GAP = " │ ";

  private final Predicate<String> out;
  private final Style style;
  private List<String> heads = List.of();
  private int width;
  private long rows;

  /**
   * @param out takes a line; false if no more is wanted
   */
  SqlVertical(Predicate<String> out, Style style) {
    this.out = out;
    this.style = style;
  }

  @Override
  public boolean begin(List<SqlColumnHead> columns) {
    List<String> names =
        columns.stream().map(column -> TextTable.printable(column.name())).toList();
    width = names.stream().mapToInt(DisplayWidth::of).max().orElse(0);
    List<String> padded = new ArrayList<>();
    names.forEach(
        name -> padded.add(style.heading(name) + " ".repeat(width - DisplayWidth.of(name)) + GAP));
    heads = padded;
    return true;
  }

  @Override
  public boolean row(List<SqlCell> row) {
    rows++;
    boolean goesOn = out.test("─ row " + rows + " " + "─".repeat(Math.max(3, width)));
    for (int i = 0; goesOn && i < row.size(); i++) {
      String text = row.get(i).isNull() ? SqlTable.NULL : row.get(i).text();
      String head = heads.get(i);
      for (String line : text.split("\\R", -1)) {
        goesOn = goesOn && out.test(head + TextTable.printable(line.replace('\t', ' ')));
        head = " ".repeat(width) + GAP;
      }
    }
    return goesOn;
  }

  @Override
  public void end() {
    // The last row is whole.
  }
}
