package io.keyvalueserve.postgres.system;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A source of rows in a join: it writes its columns at their places of the row. */
abstract class RowSource {
  private final int base;
  private final int end;

  private RowSource(int base, int end) {
    this.base = base;
    this.end = end;
  }

  /** Returns the place of the first column. */
  final int base() {
    return base;
  }

  /** Returns the place behind the last column. */
  final int end() {
    return end;
  }

  /** Returns whether rows can be found by a column at this place. */
  boolean isOwn(int slot) {
    return slot >= base && slot < end;
  }

  /**
   * Goes through the rows.
   *
   * @param column only rows with a value of this column, from 0; -1 for all
   * @param key the value's key
   */
  abstract void each(Env env, int column, @Nullable Object key, Runnable sink);

  final void put(Env env, @Nullable Object[] row, Runnable sink) {
    env.run.step();
    System.arraycopy(row, 0, env.row, base, Math.min(row.length, end - base));
    sink.run();
  }

  /** Returns a source of one row without columns. */
  static RowSource nothing() {
    return new RowSource(0, 0) {
      @Override
      void each(Env env, int column, @Nullable Object key, Runnable sink) {
        sink.run();
      }
    };
  }

  static RowSource of(SystemTable table, Relation relation) {
    return new RowSource(relation.base(), relation.base() + relation.columns().size()) {
      @Override
      void each(Env env, int column, @Nullable Object key, Runnable sink) {
        List<@Nullable Object[]> rows =
            column < 0 || key == null ? table.rows(env.run) : table.rows(env.run, column, key);
        for (@Nullable Object[] row : rows) {
          put(env, row, sink);
        }
      }
    };
  }

  static RowSource of(CompiledQuery query, Relation relation) {
    return new RowSource(relation.base(), relation.base() + relation.columns().size()) {
      @Override
      boolean isOwn(int slot) {
        return !query.usesOuter() && super.isOwn(slot);
      }

      @Override
      void each(Env env, int column, @Nullable Object key, Runnable sink) {
        List<@Nullable Object[]> rows = query.rows(env.run, env);
        for (@Nullable Object[] row :
            column < 0 || key == null ? rows : env.run.lookUp(query, rows, column, key)) {
          put(env, row, sink);
        }
      }
    };
  }

  static RowSource of(TableFunctions.Call call, Relation relation, boolean hasOrdinality) {
    return new RowSource(relation.base(), relation.base() + relation.columns().size()) {
      @Override
      boolean isOwn(int slot) {
        return false;
      }

      @Override
      void each(Env env, int column, @Nullable Object key, Runnable sink) {
        long number = 0;
        for (@Nullable Object[] row : call.rows(env)) {
          if (hasOrdinality) {
            env.row[end() - 1] = ++number;
          }
          put(env, row, sink);
        }
      }
    };
  }

  static RowSource of(Bound value, Relation relation) {
    return new RowSource(relation.base(), relation.base() + 1) {
      @Override
      boolean isOwn(int slot) {
        return false;
      }

      @Override
      void each(Env env, int column, @Nullable Object key, Runnable sink) {
        put(env, new @Nullable Object[] {value.eval().of(env)}, sink);
      }
    };
  }

  /** Returns the joined rows of several sources as one. */
  static RowSource of(List<JoinStep> steps, int base, int end) {
    return new RowSource(base, end) {
      @Override
      boolean isOwn(int slot) {
        return false;
      }

      @Override
      void each(Env env, int column, @Nullable Object key, Runnable sink) {
        JoinStep.run(steps, 0, env, sink);
      }
    };
  }
}
