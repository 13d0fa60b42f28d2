package io.keyvalueserve.engine.collection;

import java.util.Arrays;

/**
 * Reads an inner page of an {@link ElementTree} where it lies.
 *
 * <p>Behind the beginning of the page are the numbers of the children, of eight bytes. Then come,
 * of six bytes for each child, the elements under it and all children before it, and as many sums
 * of the bytes of their pages. If the elements have keys, a separator stands before each child but
 * the first: it is above all keys of the children before and not above those of the child. What all
 * separators begin with is kept once. There is the offset of the end of this beginning and of what
 * follows it in each separator, and then these bytes, up to the end of the page.
 */
final class InnerPage {
  /** The bytes of a sum. */
  static final int SUM = 6;

  /** The bytes of a child in a page, without its separator. */
  static final int CHILD = Long.BYTES + 2 * SUM;

  /**
   * The most children of a page that is larger than others. Only separators make a page large, and
   * it is split as long as there are enough children for two.
   */
  private static final int CHILDREN_OF_LARGE = 3;

  private InnerPage() {}

  /**
   * Checks that the entries are within a page that begins as an inner page. Each is checked when it
   * is used.
   */
  static void check(byte[] page) {
    int width = TreePage.width(page);
    int count = TreePage.count(page);
    boolean keyed = TreePage.isKeyed(page);
    long separators =
        TreePage.header(width) + (long) count * CHILD + (keyed ? (long) count * width : 0);
    if (separators > page.length
        || (keyed ? end(page, count - 1) : separators) != page.length
        || (width != Short.BYTES && count > CHILDREN_OF_LARGE)) {
      throw new CorruptCollectionException("an inner page does not end with its last child");
    }
  }

  /** The number of the page of a child, never 0. */
  static long number(byte[] page, int child) {
    long number = TreePage.readLong(page, children(page) + child * Long.BYTES);
    if (number == 0) {
      throw new CorruptCollectionException("a child has no number");
    }
    return number;
  }

  /** How many elements there are under all children before one. */
  static long countBefore(byte[] page, int child) {
    return child == 0 ? 0 : TreePage.readSum(page, counts(page) + (child - 1) * SUM);
  }

  /** How many elements there are under a child: 1 or more. */
  static long count(byte[] page, int child) {
    return positive(countBefore(page, child + 1) - countBefore(page, child));
  }

  /** The bytes of all pages under all children before one. */
  static long bytesBefore(byte[] page, int child) {
    return child == 0
        ? 0
        : TreePage.readSum(page, counts(page) + (TreePage.count(page) + child - 1) * SUM);
  }

  /** The bytes of all pages under a child and of its own: 1 or more. */
  static long bytes(byte[] page, int child) {
    return positive(bytesBefore(page, child + 1) - bytesBefore(page, child));
  }

  /** Takes all children out of a page, but not their separators, in one pass. */
  static void read(byte[] page, long[] numbers, long[] counts, long[] bytes) {
    int children = TreePage.count(page);
    int at = children(page);
    for (int i = 0; i < children; i++, at += Long.BYTES) {
      numbers[i] = TreePage.readLong(page, at);
      if (numbers[i] == 0) {
        throw new CorruptCollectionException("a child has no number");
      }
    }
    readSums(page, at, children, counts);
    readSums(page, at + children * SUM, children, bytes);
  }

  private static void readSums(byte[] page, int from, int children, long[] differences) {
    long before = 0;
    for (int i = 0; i < children; i++) {
      long sum = TreePage.readSum(page, from + i * SUM);
      differences[i] = positive(sum - before);
      before = sum;
    }
  }

  /** The child under which a key is, if there is such an element. */
  static int find(byte[] page, Bytes key) {
    int last = TreePage.count(page) - 1;
    int from = key.offset();
    int end = from + key.length();
    int shared = separators(page);
    int behind = end(page, 0);
    checkRange(page, shared, behind);
    if (behind > shared) {
      int middle = Math.min(from + behind - shared, end);
      int order = Arrays.compareUnsigned(page, shared, behind, key.array(), from, middle);
      if (order != 0) {
        return order < 0 ? last : 0;
      }
      from = middle;
    }
    int low = 1;
    int high = last;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int start = end(page, middle - 1);
      int to = end(page, middle);
      checkRange(page, start, to);
      if (Arrays.compareUnsigned(page, start, to, key.array(), from, end) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return low - 1;
  }

  /**
   * The child under which the element of an index is.
   *
   * @param index below the number of elements under the page
   */
  static int find(byte[] page, long index) {
    int low = 0;
    int high = TreePage.count(page) - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (countBefore(page, middle + 1) <= index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The separator before a child, from 1. */
  static Bytes separator(byte[] page, int child) {
    int start = end(page, child - 1);
    int length = end(page, child) - start;
    checkRange(page, start, start + length);
    int shared = shared(page);
    if (shared == 0) {
      return new Bytes(page, start, length);
    }
    int from = separators(page);
    byte[] separator = Arrays.copyOfRange(page, from, from + shared + length);
    System.arraycopy(page, start, separator, shared, length);
    return Bytes.of(separator);
  }

  /** How many bytes all separators begin with that are kept once. */
  static int shared(byte[] page) {
    int from = separators(page);
    int end = end(page, 0);
    checkRange(page, from, end);
    return end - from;
  }

  /** Where the separators begin, in a page whose elements have keys. */
  static int separators(byte[] page) {
    return table(page) + TreePage.count(page) * TreePage.width(page);
  }

  /** The end of a separator; for child 0, that of what is kept once. It may be damaged. */
  private static int end(byte[] page, int child) {
    int width = TreePage.width(page);
    return TreePage.read(page, table(page) + child * width, width);
  }

  private static void checkRange(byte[] page, int start, int end) {
    if (start < 0 || end < start || end > page.length) {
      throw new CorruptCollectionException("a separator is beyond the bytes of its page");
    }
  }

  private static int children(byte[] page) {
    return TreePage.header(TreePage.width(page));
  }

  private static int counts(byte[] page) {
    return children(page) + TreePage.count(page) * Long.BYTES;
  }

  private static int table(byte[] page) {
    return children(page) + TreePage.count(page) * CHILD;
  }

  private static long positive(long value) {
    if (value <= 0) {
      throw new CorruptCollectionException("there is nothing under a child");
    }
    return value;
  }
}
