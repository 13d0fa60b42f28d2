package io.keyvalueserve.resp.command;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Sorts an array, some of it at a time. For one thread.
 *
 * <p>A sort of all is a merge sort, and keeps the order of equal elements. A sort of a part leaves
 * the rest in any order. It is the quicksort of J. L. Bentley and M. D. McIlroy ("Engineering a
 * Sort Function", 1993), which Redis has for such sorts. Equal elements have the order that they
 * have there.
 */
final class SlicedSort<T> {
  /** The elements that are sorted in a step of a sort of all. */
  private static final int RUN = 512;

  /** The elements that are merged or compared in a step, about. */
  private static final int STEP = 2048;

  private static final int SMALL = 7;
  private static final int MIDDLING = 40;

  private final T[] elements;
  private final Comparator<? super T> order;
  private final int first;
  private final int last;
  private final boolean isPart;

  private int at;
  private int width = RUN;
  private boolean isMerging;
  private T[] spare;
  private int left;
  private int right;
  private int put;

  /** The ranges that are still to be looked at: from, end, and so on. */
  private int[] pending = new int[64];

  private int pendingCount;

  private SlicedSort(
      T[] elements, Comparator<? super T> order, int first, int last, boolean isPart) {
    this.elements = elements;
    this.order = order;
    this.first = first;
    this.last = last;
    this.isPart = isPart;
    this.spare = elements;
    if (isPart) {
      push(0, elements.length);
    }
  }

  /** A sort of all elements. */
  static <T> SlicedSort<T> all(T[] elements, Comparator<? super T> order) {
    return new SlicedSort<>(elements, order, 0, elements.length - 1, false);
  }

  /**
   * A sort after which the elements from one index to another are where they belong.
   *
   * @param first the first of them
   * @param last the last of them, not less
   */
  static <T> SlicedSort<T> part(T[] elements, Comparator<? super T> order, int first, int last) {
    return new SlicedSort<>(elements, order, first, last, true);
  }

  /** Sorts on; returns whether all is done. */
  boolean step() {
    return isPart ? partition() : isMerging ? merge() : sortRun();
  }

  // ---- all

  private boolean sortRun() {
    int end = Math.min(at + RUN, elements.length);
    Arrays.sort(elements, at, end, order);
    at = end;
    if (at < elements.length) {
      return false;
    }
    isMerging = true;
    beginPair(0);
    return width >= elements.length;
  }

  private void beginPair(int from) {
    at = from;
    left = from;
    right = Math.min(from + width, elements.length);
    put = from;
    spare = Arrays.copyOfRange(elements, left, right); // the left run, so it may be written over
  }

  private boolean merge() {
    int middle = Math.min(at + width, elements.length);
    int end = Math.min(middle + width, elements.length);
    for (int i = 0; i < STEP && left < middle; i++) {
      T next = spare[left - at];
      if (right < end && order.compare(elements[right], next) < 0) {
        elements[put++] = elements[right++];
      } else {
        elements[put++] = next;
        left++;
      }
    }
    if (left < middle) {
      return false;
    }
    if (end == elements.length || end + width >= elements.length) {
      width *= 2;
      if (width >= elements.length) {
        return true;
      }
      beginPair(0);
    } else {
      beginPair(end);
    }
    return false;
  }

  // ---- a part

  private void push(int from, int end) {
    if (pendingCount == pending.length) {
      pending = Arrays.copyOf(pending, 2 * pendingCount);
    }
    pending[pendingCount++] = from;
    pending[pendingCount++] = end;
  }

  private void pushIfWanted(int from, int end) {
    if (end - from > 1 && from <= last && end > first) {
      push(from, end);
    }
  }

  private boolean partition() {
    for (int compared = 0; compared < STEP && pendingCount > 0; ) {
      int end = pending[--pendingCount];
      int from = pending[--pendingCount];
      compared += end - from;
      if (end - from < SMALL) {
        insert(from, end);
      } else {
        partition(from, end);
      }
    }
    return pendingCount == 0;
  }

  private void insert(int from, int end) {
    for (int i = from + 1; i < end; i++) {
      for (int j = i; j > from && compare(j - 1, j) > 0; j--) {
        swap(j, j - 1);
      }
    }
  }

  private void partition(int from, int end) {
    swap(from, pivot(from, end));
    int lowEqual = from + 1;
    int low = from + 1;
    int high = end - 1;
    int highEqual = end - 1;
    while (true) {
      for (int sign; low <= high && (sign = compare(low, from)) <= 0; low++) {
        if (sign == 0) {
          swap(lowEqual++, low);
        }
      }
      for (int sign; low <= high && (sign = compare(high, from)) >= 0; high--) {
        if (sign == 0) {
          swap(high, highEqual--);
        }
      }
      if (low > high) {
        break;
      }
      swap(low++, high--);
    }
    int less = low - lowEqual;
    int greater = highEqual - high;
    swapMany(from, low, Math.min(lowEqual - from, less));
    swapMany(low, end, Math.min(greater, end - highEqual - 1));
    pushIfWanted(end - greater, end);
    pushIfWanted(from, from + less);
  }

  private int pivot(int from, int end) {
    int count = end - from;
    int middle = from + count / 2;
    if (count == SMALL) {
      return middle;
    }
    int lowest = from;
    int highest = end - 1;
    if (count > MIDDLING) {
      int eighth = count / 8;
      lowest = median(lowest, lowest + eighth, lowest + 2 * eighth);
      middle = median(middle - eighth, middle, middle + eighth);
      highest = median(highest - 2 * eighth, highest - eighth, highest);
    }
    return median(lowest, middle, highest);
  }

  private int median(int a, int b, int c) {
    if (compare(a, b) < 0) {
      return compare(b, c) < 0 ? b : compare(a, c) < 0 ? c : a;
    }
    return compare(b, c) > 0 ? b : compare(a, c) < 0 ? a : c;
  }

  /** Swaps elements from an index on with those before an end. */
  private void swapMany(int from, int end, int count) {
    for (int i = 0; i < count; i++) {
      swap(from + i, end - count + i);
    }
  }

  private int compare(int a, int b) {
    return order.compare(elements[a], elements[b]);
  }

  private void swap(int a, int b) {
    T element = elements[a];
    elements[a] = elements[b];
    elements[b] = element;
  }
}
