package io.keyvalueserve.engine.collection;

import java.util.Arrays;

/**
 * Reads a leaf of an {@link ElementTree} where it lies.
 *
 * <p>Behind the beginning of the page there is for each element the offset of its end. The elements
 * follow without gaps, up to the end of the page. An element with a key is the length of the key
 * (seven bits a byte, the lowest first), the key and the value. Another is only its value.
 */
final class LeafPage {
  private LeafPage() {}

  /**
   * Checks that the offsets are within a page that begins as a leaf. Each offset is checked when it
   * is used.
   */
  static void check(byte[] page) {
    int width = TreePage.width(page);
    int count = TreePage.count(page);
    long elements = TreePage.header(width) + (long) count * width;
    if (elements > page.length || end(page, count - 1) != page.length) {
      throw new CorruptCollectionException("a leaf does not end with its last element");
    }
  }

  /**
   * Finds an element by its key.
   *
   * @return its index; if there is none, that of the first above it, inverted
   */
  static int find(byte[] page, Bytes key) {
    int low = 0;
    int high = TreePage.count(page) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int start = start(page, middle);
      int end = end(page, middle);
      checkRange(page, start, end);
      int length = keyLength(page, start, end);
      int at = start + lengthBytes(length);
      int order =
          Arrays.compareUnsigned(
              page, at, at + length, key.array(), key.offset(), key.offset() + key.length());
      if (order < 0) {
        low = middle + 1;
      } else if (order > 0) {
        high = middle - 1;
      } else {
        return middle;
      }
    }
    return ~low;
  }

  /** The key of an element; empty in a list. */
  static Bytes key(byte[] page, int index) {
    if (!TreePage.isKeyed(page)) {
      return TreePage.NOTHING;
    }
    int start = start(page, index);
    int end = end(page, index);
    checkRange(page, start, end);
    int length = keyLength(page, start, end);
    return new Bytes(page, start + lengthBytes(length), length);
  }

  /** The value of an element. */
  static Bytes value(byte[] page, int index) {
    int at = start(page, index);
    int end = end(page, index);
    checkRange(page, at, end);
    if (TreePage.isKeyed(page)) {
      int length = keyLength(page, at, end);
      at += lengthBytes(length) + length;
    }
    return new Bytes(page, at, end - at);
  }

  /** Takes all elements out of a page, in one pass. */
  static void read(byte[] page, Bytes[] keys, Bytes[] values) {
    int width = TreePage.width(page);
    int count = TreePage.count(page);
    boolean keyed = TreePage.isKeyed(page);
    int table = TreePage.header(width);
    int start = table + count * width;
    for (int i = 0; i < count; i++) {
      int end = TreePage.read(page, table + i * width, width);
      checkRange(page, start, end);
      if (keyed) {
        int length = keyLength(page, start, end);
        int at = start + lengthBytes(length);
        keys[i] = new Bytes(page, at, length);
        values[i] = new Bytes(page, at + length, end - at - length);
      } else {
        keys[i] = TreePage.NOTHING;
        values[i] = new Bytes(page, start, end - start);
      }
      start = end;
    }
  }

  /** The length of the key of an element that lies in a range of a page. */
  private static int keyLength(byte[] page, int start, int end) {
    if (start < end && page[start] >= 0 && page[start] < end - start) {
      return page[start];
    }
    int at = start;
    int length = 0;
    for (int shift = 0; ; shift += 7) {
      if (at >= end || shift > 28) {
        throw new CorruptCollectionException("the length of a key does not end");
      }
      int b = page[at++];
      length |= (b & 0x7F) << shift;
      if (b >= 0) {
        break;
      }
    }
    // Behind a length that is longer than needed the key would be looked for at another place.
    if (length < 0 || length > end - at || at - start != lengthBytes(length)) {
      throw new CorruptCollectionException("a key is beyond its element");
    }
    return length;
  }

  /** The bytes that the length of a key takes: 1 to 5. */
  static int lengthBytes(int length) {
    return PackedWriter.size(length) - length;
  }

  /** Where an element begins. Only with a check of its range it is known to be in the page. */
  private static int start(byte[] page, int index) {
    int width = TreePage.width(page);
    int table = TreePage.header(width);
    return index == 0
        ? table + TreePage.count(page) * width
        : TreePage.read(page, table + (index - 1) * width, width);
  }

  private static int end(byte[] page, int index) {
    int width = TreePage.width(page);
    return TreePage.read(page, TreePage.header(width) + index * width, width);
  }

  private static void checkRange(byte[] page, int start, int end) {
    if (start < 0 || end < start || end > page.length) {
      throw new CorruptCollectionException("an element of a page is beyond its bytes");
    }
  }
}
