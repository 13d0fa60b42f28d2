package io.keyvalueserve.server.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns that line up. */
final class Table {
  private final List<String[]> rows = new ArrayList<>();

  Table(String... head) {
    rows.add(head);
  }

  void add(String... row) {
    rows.add(row);
  }

  /** A name is a tenant's choice, and must not move the cursor. */
  static String printable(String name) {
    return name.codePoints()
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @Override
  public String toString() {
    int[] widths = new int[rows.getFirst().length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
      }
      lines.add(line.toString().stripTrailing());
    }
    return String.join(System.lineSeparator(), lines);
  }
}
