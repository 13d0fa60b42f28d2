package io.keyvalueserve.postgres.system;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Orders of rows. */
final class Sorting {
  private Sorting() {}

  /**
   * Compares rows that have the values of keys.
   *
   * @param from the index of the first key's value
   */
  static Comparator<@Nullable Object[]> byKeys(List<Bindings.SortKey> keys, int from) {
    return (one, other) -> {
      for (int i = 0; i < keys.size(); i++) {
        Bindings.SortKey key = keys.get(i);
        Object a = one[from + i];
        Object b = other[from + i];
        int order =
            (a == null || b == null)
                ? Datum.compareNulls(a, b, key.isNullsFirst())
                : key.isDescending() ? Datum.compare(b, a) : Datum.compare(a, b);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }
}
