package io.keyvalueserve.stores;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A row of a table.
 *
 * @param key the canonical value of the key column
 * @param values the canonical values of the value columns, in the order of the {@link TableSpec};
 *     null stands for NULL
 */
public record Row(Object key, @Nullable Object[] values) {
  /** Checks that there is a key. */
  public Row {
    requireNonNull(key, "key");
    requireNonNull(values, "values");
  }
}
