package io.keyvalueserve.engine.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A list: elements in order, the first one at index 0. */
public interface ListView extends CollectionView {
  /**
   * Returns elements.
   *
   * @param from index of the first one, 0 to {@link #size}
   * @param count how many, if there are as many
   */
  default List<Bytes> range(long from, long count) {
    List<Bytes> elements = new ArrayList<>();
    visit(from, count, elements::add);
    return elements;
  }

  /**
   * Visits elements, or those up to the first for which the visitor returns false.
   *
   * @param from index of the first one, 0 to {@link #size}
   * @param count how many, if there are as many
   */
  void visit(long from, long count, Predicate<Bytes> visitor);

  /** Visits all elements from the last one on, until the visitor returns false. */
  void visitBackwards(Predicate<Bytes> visitor);

  /**
   * Takes elements out.
   *
   * @param indexes of them, in ascending order
   */
  void remove(List<Long> indexes);

  /**
   * Takes elements out and puts others in their place.
   *
   * @param from index of the first one, 0 to {@link #size}
   * @param removed how many are taken out; there are as many
   * @param inserted what comes there, in order
   */
  void splice(long from, long removed, List<Bytes> inserted);

  /** The element at an index, 0 to less than {@link #size}. */
  default Bytes get(long index) {
    return range(index, 1).getFirst();
  }
}
