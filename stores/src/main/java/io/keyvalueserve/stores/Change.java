package io.keyvalueserve.stores;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A row that is to be written, or deleted.
 *
 * @param key the key, of a class that {@link StoreColumn#coerce} takes
 * @param values the values of the value columns, likewise, in the order of the {@link TableSpec};
 *     null to delete the row
 */
public record Change(Object key, @Nullable Object @Nullable [] values) {
  /** Checks that there is a key. */
  public Change {
    requireNonNull(key, "key");
  }

  /** Returns a change that writes a row. */
  public static Change put(Object key, @Nullable Object... values) {
    return new Change(key, values);
  }

  /** Returns a change that deletes a row. */
  public static Change delete(Object key) {
    return new Change(key, null);
  }

  /** Tells that the row is to be deleted. */
  public boolean deletes() {
    return values == null;
  }
}
