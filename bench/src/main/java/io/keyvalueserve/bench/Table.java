package io.keyvalueserve.bench;

import java.util.Locale;

/** Lines of a table for a person: a label, and figures to the right of it. Not thread-safe. */
final class Table {
  private final StringBuilder text;
  private final int label;
  private final int column;

  /**
   * @param conditions what was measured, and where: the first line
   * @param label how wide labels are
   * @param column how wide figures are; 0 if each is as wide as it is
   */
  Table(String conditions, int label, int column) {
    text = new StringBuilder(conditions).append('\n');
    this.label = label;
    this.column = column;
  }

  /**
   * Adds a line of a label and figures; empty ones at its end are left out. A label may begin with
   * an empty line.
   */
  void row(String name, String... figures) {
    int width = label + (name.startsWith("\n") ? 1 : 0);
    StringBuilder row = new StringBuilder(String.format("%-" + width + "s", name));
    for (String figure : figures) {
      row.append(String.format(" %" + (column == 0 ? "" : column) + "s", figure));
    }
    text.append(row.toString().stripTrailing()).append('\n');
  }

  /** Adds a line as it is. */
  void line(String format, Object... what) {
    text.append(String.format(Locale.ROOT, format + "%n", what));
  }

  /** Adds goals, if there are any. */
  void goals(Iterable<Goal> goals) {
    boolean begun = false;
    for (Goal goal : goals) {
      text.append(begun ? "" : "\ngoals\n").append("  ").append(goal).append('\n');
      begun = true;
    }
  }

  /** A figure with thousands set apart. */
  static String figure(double value, int digits) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  /** A share of one, as a percentage. */
  static String percent(double share, int digits) {
    return figure(100 * share, digits) + "%";
  }

  /** A count with thousands set apart. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
