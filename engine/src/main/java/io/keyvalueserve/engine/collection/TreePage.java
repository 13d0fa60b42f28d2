package io.keyvalueserve.engine.collection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The beginning that all pages of an {@link ElementTree} have in common: how large they are, and
 * how they begin.
 *
 * <p>A page begins with a layout byte, which says whether the elements have keys and how wide its
 * offsets are. The next byte is the height: 0 for a leaf, else how many levels there are below.
 * Then comes the number of its entries: elements of a leaf, children of an inner page. All numbers
 * are big-endian. Counts and offsets take two bytes, in a page above 64 KiB four. An offset counts
 * from the beginning of the page.
 */
final class TreePage {
  /**
   * The most bytes of a page that has a choice. A change of one element writes a leaf and an inner
   * page for each level, so larger pages cost more for each change; smaller ones make the tree
   * higher, and the numbers of the pages take more of it.
   */
  static final int TARGET = 1024;

  /** A changed page with fewer bytes becomes one with a neighbour, if both fit into one. */
  static final int LEAST = TARGET / 3;

  /** The most levels above the leaves. With two children in each page it is beyond any memory. */
  static final int HIGHEST = 48;

  /** No bytes. */
  static final Bytes NOTHING = Bytes.of(new byte[0]);

  /** The largest page with narrow offsets, in bytes. */
  private static final int NARROW = 0xFFFF;

  private static final int LAYOUT = 0x10;
  private static final int KEYED = 1;
  private static final int WIDE = 2;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private TreePage() {}

  /**
   * Checks how a page begins.
   *
   * @throws CorruptCollectionException if it does not have this form
   */
  static void check(byte[] page, boolean keyed, int height) {
    check(page);
    if (isKeyed(page) != keyed || page[1] != height) {
      throw new CorruptCollectionException("a page is of another tree or another height");
    }
  }

  /**
   * Checks how a page begins, of whatever tree it is.
   *
   * @throws CorruptCollectionException if it is not a page of a tree
   */
  static void check(byte[] page) {
    if (page.length < 2 || (page[0] & ~(KEYED | WIDE)) != LAYOUT) {
      throw new CorruptCollectionException("a page has an unknown layout");
    }
    if (page[1] < 0 || page[1] > HIGHEST) {
      throw new CorruptCollectionException("a page has an impossible height");
    }
    if (page.length < header(width(page)) || count(page) <= 0) {
      throw new CorruptCollectionException("a page has no entries");
    }
  }

  static boolean isKeyed(byte[] page) {
    return (page[0] & KEYED) != 0;
  }

  static int height(byte[] page) {
    return page[1];
  }

  /** The bytes of a count or an offset in a page: 2 or 4. */
  static int width(byte[] page) {
    return (page[0] & WIDE) == 0 ? Short.BYTES : Integer.BYTES;
  }

  /** The number of entries. */
  static int count(byte[] page) {
    return read(page, 2, width(page));
  }

  /** Where a page goes on behind its count of entries. */
  static int header(int width) {
    return 2 + width;
  }

  /** Reads a count or an offset; it may be negative if the page is damaged. */
  static int read(byte[] page, int at, int width) {
    return width == Short.BYTES ? (short) SHORT.get(page, at) & 0xFFFF : (int) INT.get(page, at);
  }

  static void write(byte[] page, int at, int width, int value) {
    if (width == Short.BYTES) {
      SHORT.set(page, at, (short) value);
    } else {
      INT.set(page, at, value);
    }
  }

  static long readLong(byte[] page, int at) {
    return (long) LONG.get(page, at);
  }

  static void writeLong(byte[] page, int at, long value) {
    LONG.set(page, at, value);
  }

  /** Reads a number of six bytes. */
  static long readSum(byte[] page, int at) {
    return ((short) SHORT.get(page, at) & 0xFFFFL) << 32
        | ((int) INT.get(page, at + 2) & 0xFFFF_FFFFL);
  }

  static void writeSum(byte[] page, int at, long value) {
    SHORT.set(page, at, (short) (value >>> 32));
    INT.set(page, at + 2, (int) value);
  }

  /** The bytes of the offsets in a page that is to have a size with narrow ones: 2 or 4. */
  static int widthFor(long size) {
    return size <= NARROW ? Short.BYTES : Integer.BYTES;
  }

  /**
   * Makes a page with its beginning.
   *
   * @param size of the page, in bytes
   */
  static byte[] begin(boolean keyed, int height, int count, int width, long size) {
    if (size > Integer.MAX_VALUE - 64) {
      throw new CollectionTooLargeException(size);
    }
    byte[] page = new byte[(int) size];
    page[0] = (byte) (LAYOUT | (keyed ? KEYED : 0) | (width == Short.BYTES ? 0 : WIDE));
    page[1] = (byte) height;
    write(page, 2, width, count);
    return page;
  }
}
