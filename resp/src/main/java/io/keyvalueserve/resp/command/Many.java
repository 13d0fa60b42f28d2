package io.keyvalueserve.resp.command;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/** Lists for requests on any number of keys. */
final class Many {
  /** Longer lists are made element by element when these are asked for: so much takes long. */
  private static final int FEW = 1024;

  private Many() {}

  /**
   * A list of elements by their indices.
   *
   * @param element makes one: any number of times the same, for an index that stays what it is
   */
  static <T> List<T> of(int count, IntFunction<T> element) {
    if (count > FEW) {
      return new Made<>(count, element);
    }
    List<T> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      list.add(element.apply(i));
    }
    return list;
  }

  private static final class Made<T> extends AbstractList<T> implements RandomAccess {
    private final int count;
    private final IntFunction<T> element;

    Made(int count, IntFunction<T> element) {
      this.count = count;
      this.element = element;
    }

    @Override
    public T get(int index) {
      return element.apply(Objects.checkIndex(index, count));
    }

    @Override
    public int size() {
      return count;
    }
  }
}
