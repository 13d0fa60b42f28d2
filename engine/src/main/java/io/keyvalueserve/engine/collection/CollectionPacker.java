package io.keyvalueserve.engine.collection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Packs a collection whose elements come one after the other. It finds elements that come twice
 * without an object for each: a table has their places.
 *
 * <p>For one thread.
 */
public final class CollectionPacker {
  private static final int LAYOUT = 1;
  private static final int HEAD_BYTES = 1 + Integer.BYTES;
  private static final int FIRST_BYTES = 256;
  private static final int FIRST_ELEMENTS = 16;
  private static final int MOST_LENGTH_BYTES = 5;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  /** Clients do not know these, so they cannot choose elements that fall together. */
  private static final long SECRET = new SplittableRandom().nextLong();

  private static final long FACTOR = new SplittableRandom().nextLong() | 1;

  private final CollectionType type;
  private final int mostBytes;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int length = HEAD_BYTES;
  private int count;

  /** Where each element begins, and its hash; of a list there are none. */
  private int[] starts = new int[0];

  private int[] hashes = new int[0];

  /** At the place of each hash the number of an element, from 1 on; 0 is free. */
  private int[] table = new int[0];

  private boolean ascending = true;
  private boolean descending = true;
  private @Nullable StepwiseSort sort;

  /** The ways in which an attempt to add an element ends. */
  public enum Added {
    /** It is packed. */
    NEW,
    /** It is there already: nothing was done. */
    DUPLICATE,
    /** The collection would be too large: nothing was done. */
    TOO_LARGE
  }

  /**
   * Creates one without elements.
   *
   * @param mostBytes the largest collection that it packs, in bytes
   */
  public CollectionPacker(CollectionType type, int mostBytes) {
    this.type = type;
    this.mostBytes = mostBytes;
    bytes[0] = LAYOUT;
  }

  /** Adds an element to a list, or a member to a set. */
  public Added add(Bytes element) {
    if (type != CollectionType.LIST && type != CollectionType.SET) {
      throw new IllegalStateException("a " + type.title() + " has no elements of one part");
    }
    return add(element, null, 0);
  }

  /** Adds a field to a hash. */
  public Added put(Bytes field, Bytes value) {
    require(CollectionType.HASH);
    return add(field, value, 0);
  }

  /**
   * Adds a member to a sorted set.
   *
   * @param score not NaN
   */
  public Added put(Bytes member, double score) {
    require(CollectionType.SORTED_SET);
    if (Double.isNaN(score)) {
      throw new IllegalArgumentException("a score is not a number");
    }
    return add(member, null, score);
  }

  private void require(CollectionType wanted) {
    if (type != wanted) {
      throw new IllegalStateException("this is a " + type.title());
    }
  }

  private Added add(Bytes name, @Nullable Bytes value, double score) {
    boolean scored = type == CollectionType.SORTED_SET;
    long size = PackedWriter.size(name.length());
    size += value == null ? 0 : PackedWriter.size(value.length());
    size += scored ? Double.BYTES : 0;
    if (length + size > mostBytes) {
      return Added.TOO_LARGE;
    }
    if (type != CollectionType.LIST) {
      int hash = hash(name);
      if (isThere(name, hash)) {
        return Added.DUPLICATE;
      }
      remember(hash);
    }
    ensure((int) size);
    if (scored) {
      LONG.set(bytes, length, Double.doubleToRawLongBits(score));
      length += Double.BYTES;
    }
    write(name);
    if (value != null) {
      write(value);
    }
    count++;
    if (scored && count > 1) {
      int order = compare(count - 2, count - 1);
      ascending &= order < 0;
      descending &= order > 0;
    }
    return Added.NEW;
  }

  /** Returns the number of elements. */
  public int count() {
    return count;
  }

  /** Returns the memory that it holds, in bytes. */
  public long heldBytes() {
    long numbers = (long) starts.length + hashes.length + table.length;
    return bytes.length + Integer.BYTES * (sort == null ? numbers : numbers + 2L * count);
  }

  /**
   * Goes on to bring the elements into their order, after the last one was added.
   *
   * @param most how many comparisons to make at most
   * @return whether they are in order, so that {@link #packed} may be called
   */
  public boolean run(int most) {
    if (type != CollectionType.SORTED_SET || ascending || descending) {
      return true;
    }
    StepwiseSort sorting = sort;
    if (sorting == null) {
      int[] numbers = new int[count];
      for (int i = 0; i < count; i++) {
        numbers[i] = i;
      }
      sorting = new StepwiseSort(numbers, count, this::compare);
      sort = sorting;
    }
    return sorting.run(most);
  }

  /** Returns the collection as it is packed, without headroom. */
  public byte[] packed() {
    INT.set(bytes, 1, count);
    if (type != CollectionType.SORTED_SET || ascending) {
      return Arrays.copyOf(bytes, length);
    }
    byte[] ordered = Arrays.copyOf(bytes, length);
    int at = HEAD_BYTES;
    for (int i = 0; i < count; i++) {
      int element = sort == null ? count - 1 - i : sort.sorted()[i];
      int end = element + 1 == count ? length : starts[element + 1];
      int size = end - starts[element];
      System.arraycopy(bytes, starts[element], ordered, at, size);
      at += size;
    }
    return ordered;
  }

  private void write(Bytes part) {
    int rest = part.length();
    while (rest >= 0x80) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
    System.arraycopy(part.array(), part.offset(), bytes, length, part.length());
    length += part.length();
  }

  private void ensure(int more) {
    if (more > bytes.length - length) {
      long doubled = Math.min(2L * bytes.length, mostBytes);
      bytes = Arrays.copyOf(bytes, (int) Math.max(doubled, (long) length + more));
    }
  }

  /** Compares two members of a sorted set, as {@link SortedSetView.Scored} does. */
  private int compare(int first, int second) {
    double a = Double.longBitsToDouble((long) LONG.get(bytes, starts[first]));
    double b = Double.longBitsToDouble((long) LONG.get(bytes, starts[second]));
    if (a != b) {
      return a < b ? -1 : 1;
    }
    return name(first).compareTo(name(second));
  }

  private Bytes name(int element) {
    int at = starts[element] + (type == CollectionType.SORTED_SET ? Double.BYTES : 0);
    int end = Math.min(length, at + MOST_LENGTH_BYTES);
    int size = 0;
    for (int shift = 0; at < end; shift += 7) {
      int next = bytes[at++];
      size |= (next & 0x7f) << shift;
      if (next >= 0) {
        break;
      }
    }
    return new Bytes(bytes, at, size);
  }

  private boolean isThere(Bytes name, int hash) {
    int mask = table.length - 1;
    for (int i = hash & mask; mask > 0 && table[i] != 0; i = (i + 1) & mask) {
      int element = table[i] - 1;
      if (hashes[element] == hash && name(element).equals(name)) {
        return true;
      }
    }
    return false;
  }

  private void remember(int hash) {
    if (count == starts.length) {
      int elements = Math.max(FIRST_ELEMENTS, 2 * count);
      starts = Arrays.copyOf(starts, elements);
      hashes = Arrays.copyOf(hashes, elements);
      table = new int[2 * elements];
      for (int i = 0; i < count; i++) {
        place(hashes[i], i);
      }
    }
    starts[count] = length;
    hashes[count] = hash;
    place(hash, count);
  }

  private void place(int hash, int element) {
    int mask = table.length - 1;
    int i = hash & mask;
    while (table[i] != 0) {
      i = (i + 1) & mask;
    }
    table[i] = element + 1;
  }

  private static int hash(Bytes name) {
    byte[] array = name.array();
    int at = name.offset();
    int end = at + name.length();
    long hash = SECRET ^ name.length();
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = mixed(hash ^ (long) LONG.get(array, at));
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = (rest << Byte.SIZE) | (array[at] & 0xff);
    }
    hash = mixed(hash ^ rest);
    return (int) (hash ^ (hash >>> Integer.SIZE));
  }

  /** Multiplies to 128 bits and folds these to 64, as the hash function wyhash does. */
  private static long mixed(long value) {
    return value * FACTOR ^ Math.unsignedMultiplyHigh(value, FACTOR);
  }
}
