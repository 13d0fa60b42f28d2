package io.keyvalueserve.postgres.plan;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement that is carried out. Used as its {@link Plan} is. */
public interface Execution extends AutoCloseable {
  /** Moves to the next row; returns false if there is none. */
  boolean next();

  /** Returns the values of the present row. */
  @Nullable Object[] row();

  /**
   * Returns what the client is told when it is done, as {@code SELECT 3}.
   *
   * @param rows how many rows were sent
   */
  String tag(long rows);

  /** Ends it. Idempotent. */
  @Override
  void close();

  /** Returns an execution that is done and has no rows. */
  static Execution done(String tag) {
    return ofRows(List.of(), tag, false);
  }

  /** Returns an execution with rows that are there already. */
  static Execution ofRows(List<@Nullable Object[]> rows, String tag, boolean countsRows) {
    Iterator<@Nullable Object[]> each = rows.iterator();
    return new Execution() {
      private @Nullable Object[] row = new Object[0];

      @Override
      public boolean next() {
        boolean hasNext = each.hasNext();
        if (hasNext) {
          row = each.next();
        }
        return hasNext;
      }

      @Override
      public @Nullable Object[] row() {
        return row;
      }

      @Override
      public String tag(long sent) {
        return countsRows ? tag + " " + sent : tag;
      }

      @Override
      public void close() {}
    };
  }
}
