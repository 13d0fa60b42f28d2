package io.keyvalueserve.engine.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table that a tenant can query. A snapshot of its definition; its rows are those of the time
 * when they are read. Thread-safe. What reads and writes may block.
 */
public interface QueryTable {
  /** Returns the definition. */
  Mapping mapping();

  /** Returns the columns, hidden ones too. */
  List<Column> columns();

  /** Returns the indexes of the map. */
  List<TableIndex> indexes();

  /** Returns about how many entries there are. */
  long estimatedRows();

  /** Returns whether rows can be written, if the tenant has the right to. */
  boolean isWritable();

  /**
   * Reads rows.
   *
   * @throws QueryException if that cannot begin
   */
  RowSource scan(Scan scan, QueryControl control);

  /**
   * Says how a scan would be carried out, for {@code EXPLAIN}: the index that it would use, or
   * none.
   */
  String explain(Scan scan);

  /**
   * Writes entries.
   *
   * @param columns indexes of columns that rows have values for
   * @param rows each with the values of these columns, of the columns' types
   * @param replaces whether entries that exist are replaced; if not, an entry that exists fails the
   *     statement with {@link QueryException.Kind#BAD_VALUE}
   * @return how many were written
   */
  long put(
      List<Integer> columns, List<@Nullable Object[]> rows, boolean replaces, QueryControl control);

  /**
   * Changes columns of entries.
   *
   * @param keys the values of the column that is the whole key ({@code __key}), as a scan returned
   *     them
   * @param columns indexes of columns that change; never of the key's
   * @param rows for each key the new values
   * @param stillTrue an entry that does not meet this any more is left as it is
   * @return how many changed
   */
  long update(
      List<Object> keys,
      List<Integer> columns,
      List<@Nullable Object[]> rows,
      Condition stillTrue,
      QueryControl control);

  /**
   * Removes entries.
   *
   * @param stillTrue an entry that does not meet this any more stays
   * @return how many were removed
   */
  long remove(List<Object> keys, Condition stillTrue, QueryControl control);
}
