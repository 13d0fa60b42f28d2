package io.keyvalueserve.resp.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The arguments of a request that has many of them. Short ones lie one behind the other in a few
 * arrays: ten thousand keys that are as many objects, and alive at once, make a collection of
 * garbage long for everybody.
 *
 * <p>Before each short one is its length, in two bytes. Memory grows with what has come. One thread
 * at a time.
 */
final class ManyArguments {
  /** A request of no more arguments has an array for each. */
  static final int FEW = 1024;

  /** Longer arguments have an array of their own. */
  static final int MOST_SHORT_BYTES = 1024;

  private static final int SHIFT = 14;

  /** Far less than what a collector takes for huge. */
  private static final int ARRAY_BYTES = 1 << SHIFT;

  private static final int LENGTH_BYTES = 2;
  private static final int FIRST_ARRAYS = 4;
  private static final int FIRST_PLACES = 64;
  private static final int GROWTH = 4;

  private final int announced;

  /**
   * The arrays that short arguments lie in. A million of the longest take 70,000 of these, which
   * can be numbered beside an offset.
   */
  private byte[][] sharedArrays = new byte[FIRST_ARRAYS][];

  private int sharedCount;

  /** The others, each an array. */
  private byte[][] alone = new byte[FIRST_ARRAYS][];

  private int aloneCount;

  /**
   * The place of each argument: the number of its shared array and the offset there, or {@code
   * ~number} of an array of its own.
   */
  private int[] places = new int[FIRST_PLACES];

  private int count;
  private long bytes;

  /** The array in which the next short argument goes, after {@link #end}. */
  private byte[] shared = {};

  private int end;

  /**
   * Creates an instance without arguments.
   *
   * @param announced how many there will be
   */
  ManyArguments(int announced) {
    this.announced = announced;
  }

  /**
   * Begins a short one, whose bytes {@link #read} adds.
   *
   * @param length in bytes, up to {@link #MOST_SHORT_BYTES}
   */
  void begin(int length) {
    if (end + LENGTH_BYTES + length >= shared.length) { // an empty one begins within the array, too
      shared = new byte[ARRAY_BYTES];
      sharedArrays = with(sharedArrays, sharedCount++, shared);
      end = 0;
    }
    shared[end] = (byte) (length >> Byte.SIZE);
    shared[end + 1] = (byte) length;
    end += LENGTH_BYTES;
    add(((sharedCount - 1) << SHIFT) | end, length);
  }

  /** Adds the next bytes of the one that was begun. */
  void read(ByteBuf in, int length) {
    in.readBytes(shared, end, length);
    end += length;
  }

  /** Adds one that has an array for itself, which is kept. */
  void add(byte[] argument) {
    alone = with(alone, aloneCount, argument);
    add(~aloneCount++, argument.length);
  }

  private static byte[][] with(byte[][] arrays, int at, byte[] array) {
    byte[][] roomy = at == arrays.length ? Arrays.copyOf(arrays, 2 * at) : arrays;
    roomy[at] = array;
    return roomy;
  }

  private void add(int place, int length) {
    if (count == places.length) {
      places = Arrays.copyOf(places, (int) Math.min(announced, (long) GROWTH * count));
    }
    places[count++] = place;
    bytes += length;
  }

  int count() {
    return count;
  }

  /** Returns the length of all arguments together. */
  long bytes() {
    return bytes;
  }

  /** The array that an argument lies in. */
  byte[] array(int index) {
    int place = places[index];
    return place < 0 ? alone[~place] : sharedArrays[place >>> SHIFT];
  }

  /** Returns the offset of an argument in its array. */
  int offset(int index) {
    int place = places[index];
    return place < 0 ? 0 : place & (ARRAY_BYTES - 1);
  }

  /** Returns the length of an argument, in bytes. */
  int length(int index) {
    int place = places[index];
    if (place < 0) {
      return alone[~place].length;
    }
    byte[] array = sharedArrays[place >>> SHIFT];
    int at = place & (ARRAY_BYTES - 1);
    return ((array[at - 2] & 0xff) << Byte.SIZE) | (array[at - 1] & 0xff);
  }

  /** An argument in an array of its own. */
  byte[] argument(int index) {
    int place = places[index];
    if (place < 0) {
      return alone[~place];
    }
    int from = offset(index);
    return Arrays.copyOfRange(array(index), from, from + length(index));
  }
}
