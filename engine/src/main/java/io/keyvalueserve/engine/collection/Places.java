package io.keyvalueserve.engine.collection;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a collection, to choose some from: each has a place.
 *
 * @param <T> an element
 */
interface Places<T> {
  /** Returns the number of places. They begin with 0. */
  long count();

  /** Returns the element of a place, or null if there is none any more: it has expired. */
  @Nullable T at(long place);

  /** Visits all elements, or those up to the first for which the visitor returns false. */
  void forEach(Predicate<T> visitor);

  /** Places of elements that are at hand. */
  static <T> Places<T> of(List<T> all) {
    return new Places<>() {
      @Override
      public long count() {
        return all.size();
      }

      @Override
      public T at(long place) {
        return all.get((int) place);
      }

      @Override
      public void forEach(Predicate<T> visitor) {
        for (T each : all) {
          if (!visitor.test(each)) {
            return;
          }
        }
      }
    };
  }
}
