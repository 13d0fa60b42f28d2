package io.keyvalueserve.engine.collection;

/**
 * A packed collection: a range of an array, that is not changed by anyone. Its first byte says in
 * which layout it is packed.
 *
 * @param type of which type it is
 * @param bytes has it
 * @param offset where it begins
 * @param length of it, in bytes
 */
public record CollectionValue(CollectionType type, byte[] bytes, int offset, int length) {
  /**
   * A collection that was packed anew begins here, and the array ends with it. The bytes before are
   * for whoever stores it: the array is theirs.
   */
  public static final int HEADROOM = 8;

  /**
   * Returns a collection that was packed before, in an array of its own that has headroom.
   *
   * @param packed all of it, without headroom; it is copied
   */
  public static CollectionValue copyOf(CollectionType type, byte[] packed) {
    byte[] bytes = new byte[HEADROOM + packed.length];
    System.arraycopy(packed, 0, bytes, HEADROOM, packed.length);
    return behindHeadroom(type, bytes);
  }

  /** The layout of a collection whose elements are in pages, of whatever type: its first byte. */
  static final int PAGED = 3;

  /** Returns whether the elements are in pages, so that this is only the head of the collection. */
  public boolean isPaged() {
    return length > 0 && isPaged(bytes[offset]);
  }

  /**
   * Returns whether the elements of a collection are in pages.
   *
   * @param layout the first byte of the collection
   */
  public static boolean isPaged(byte layout) {
    return layout == PAGED;
  }

  /** All of an array behind its headroom. */
  static CollectionValue behindHeadroom(CollectionType type, byte[] bytes) {
    return new CollectionValue(type, bytes, HEADROOM, bytes.length - HEADROOM);
  }
}
