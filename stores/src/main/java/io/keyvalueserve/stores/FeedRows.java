package io.keyvalueserve.stores;

import io.keyvalueserve.stores.PgOutput.Cell;
import io.keyvalueserve.stores.PgOutput.Column;
import io.keyvalueserve.stores.PgOutput.Relation;
import io.keyvalueserve.stores.PgOutput.Text;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows of what a feed sends. A table may have other columns by now than it had when the feed
 * was opened: then its rows are not known, but for their keys.
 */
final class FeedRows {
  private final List<FeedColumn> columns;

  /** At which position of the sent rows each column is; -1 for nowhere. */
  private List<Integer> positions = List.of();

  private boolean complete;

  /**
   * A column of the map's table.
   *
   * @param name the name in the database
   * @param type the number of its type there
   */
  record FeedColumn(StoreColumn column, String name, int type) {}

  /**
   * @param columns the key's first
   */
  FeedRows(List<FeedColumn> columns) {
    this.columns = List.copyOf(columns);
  }

  /** The rows that follow are of this form. */
  void as(Relation relation) {
    List<Integer> found = new ArrayList<>();
    columns.forEach(column -> found.add(position(relation.columns(), column.name())));
    positions = found;
    complete = true;
    for (int i = 0; i < found.size(); i++) {
      int position = found.get(i);
      complete &= position >= 0 && relation.columns().get(position).type() == columns.get(i).type();
    }
  }

  private static int position(List<Column> sent, String name) {
    for (int i = 0; i < sent.size(); i++) {
      if (sent.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the key of a row; null if it does not say it, or in no way that is understood. */
  @Nullable Object key(List<Cell> row) {
    return positions.isEmpty() ? null : value(0, row);
  }

  /** Returns the row; null if it is not known as a whole. */
  @Nullable Row row(Object key, List<Cell> row) {
    if (!complete) {
      return null;
    }
    @Nullable Object[] values = new Object[columns.size() - 1];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(i + 1, row);
      if (values[i] == null && cell(i + 1, row) != PgOutput.Absent.NULL) {
        return null;
      }
    }
    return new Row(key, values);
  }

  private @Nullable Object value(int index, List<Cell> row) {
    return cell(index, row) instanceof Text text
        ? PgTexts.value(columns.get(index).column().type(), text.text())
        : null;
  }

  private @Nullable Cell cell(int index, List<Cell> row) {
    int position = positions.get(index);
    return position < 0 || position >= row.size() ? null : row.get(position);
  }
}
