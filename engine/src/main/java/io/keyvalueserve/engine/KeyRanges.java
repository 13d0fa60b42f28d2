package io.keyvalueserve.engine;

/**
 * The ranges of some keys in an array. Filled again and again by one thread; allocates nothing.
 *
 * @see DirectMap#anticipate
 */
public final class KeyRanges {
  private static final byte[] NO_BYTES = {};

  private final int[] offsets;
  private final int[] lengths;
  private byte[] bytes = NO_BYTES;
  private int count;

  /** Room for so many keys. */
  public KeyRanges(int capacity) {
    this.offsets = new int[capacity];
    this.lengths = new int[capacity];
  }

  /** Forgets all keys; those to come are in this array. */
  public void begin(byte[] array) {
    bytes = array;
    count = 0;
  }

  /** Adds a key, if there is room for one more. */
  public void add(int offset, int length) {
    if (count < offsets.length) {
      offsets[count] = offset;
      lengths[count++] = length;
    }
  }

  /** Lets go of the array. */
  public void end() {
    begin(NO_BYTES);
  }

  /** The array that the keys are in. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the number of keys. */
  public int count() {
    return count;
  }

  /** Returns the offset at which a key begins. */
  public int offset(int index) {
    return offsets[index];
  }

  /** Returns the number of bytes of a key. */
  public int length(int index) {
    return lengths[index];
  }
}
