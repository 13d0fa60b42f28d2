package io.keyvalueserve.engine.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The places of a tree.
 *
 * @param tree has them
 * @param element makes an element of a key and its value, or null for one that has expired
 */
record TreePlaces<T>(ElementTree tree, BiFunction<Bytes, Bytes, @Nullable T> element)
    implements Places<T> {
  @Override
  public long count() {
    return tree.size();
  }

  @Override
  public @Nullable T at(long place) {
    List<@Nullable T> found = new ArrayList<>(1);
    tree.visit(
        place,
        1,
        (key, value) -> {
          found.add(element.apply(key, value));
          return false;
        });
    if (found.isEmpty()) {
      throw new CorruptCollectionException("a tree has fewer elements than it says");
    }
    return found.getFirst();
  }

  @Override
  public void forEach(Predicate<T> visitor) {
    tree.visit(
        0,
        tree.size(),
        (key, value) -> {
          T each = element.apply(key, value);
          return each == null || visitor.test(each);
        });
  }
}
