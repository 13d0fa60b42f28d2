package io.keyvalueserve.sql.run;

import io.keyvalueserve.engine.query.RowSource;
import org.jspecify.annotations.Nullable;

/** Rows that are made one by one, from those of inputs. */
abstract class Rows implements RowSource {
  private static final @Nullable Object[] NONE = new @Nullable Object[0];

  private final RowSource[] inputs;
  private @Nullable Object[] row = NONE;

  Rows(RowSource... inputs) {
    this.inputs = inputs;
  }

  /** Returns the next row; null if there is none. */
  abstract @Nullable Object @Nullable [] make();

  @Override
  public boolean next() {
    @Nullable Object[] made = make();
    if (made == null) {
      row = NONE;
      return false;
    }
    row = made;
    return true;
  }

  @Override
  public @Nullable Object[] row() {
    return row;
  }

  /** Forgets what is kept. */
  void release() {
    // Most keep nothing.
  }

  @Override
  public void close() {
    release();
    RuntimeException failure = null;
    for (RowSource input : inputs) {
      try {
        input.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
