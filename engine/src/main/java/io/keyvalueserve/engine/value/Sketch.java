package io.keyvalueserve.engine.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A HyperLogLog in the format of Redis: how many different elements were added, within about 1 %.
 *
 * <pre>
 *   +------+----------+----------+-------------+-----------
 *   | HYLL | encoding | reserved | cardinality | registers
 *   |  4   |    1     |    3     |      8      |
 *   +------+----------+----------+-------------+-----------
 * </pre>
 *
 * <p>The cardinality is little-endian; its highest bit says that it is out of date. There are 16384
 * registers. The dense encoding has 6 bits for each. The sparse encoding has runs: of registers
 * that are 0 (up to 64 in a byte, up to 16384 in two), and of up to four that are the same value up
 * to 32 (in a byte). A sketch begins sparse, and becomes dense when it would be longer than {@link
 * #MOST_SPARSE_BYTES}, or a value is greater than 32.
 *
 * <p>Bytes that a client wrote may be anything. Every method ends with {@link CorruptSketch} where
 * the runs are not what they have to be, and reads nothing beyond the array.
 *
 * <p>For one thread.
 */
public final class Sketch {
  /** The number of registers. */
  public static final int REGISTERS = 1 << 14;

  /** The length of a dense sketch, in bytes. */
  public static final int DENSE_BYTES = Sketch.HEADER_BYTES + REGISTERS * 6 / Byte.SIZE;

  /** The greatest length of a sparse sketch that grows, in bytes: as Redis has it by default. */
  public static final int MOST_SPARSE_BYTES = 3000;

  /**
   * The greatest length of any sketch, in bytes: a run of two bytes for each register, and a zero
   * that Redis may have behind them.
   */
  public static final int MOST_BYTES = Sketch.HEADER_BYTES + 2 * REGISTERS + 1;

  private static final int HEADER_BYTES = 16;
  private static final int ENCODING_AT = 4;
  private static final int CARDINALITY_AT = 8;
  private static final int OUTDATED_AT = CARDINALITY_AT + 7;
  private static final int OUTDATED = 0x80;
  private static final byte DENSE = 0;
  private static final byte SPARSE = 1;

  private static final int REGISTER_BITS = 6;
  private static final int REGISTER_MASK = (1 << REGISTER_BITS) - 1;
  private static final int HASH_BITS = 50; // of 64: 14 choose the register
  private static final long SEED = 0xadc83b19L;
  private static final double ALPHA = 0.7213475204444817; // 0.5 / ln 2

  private static final int LONG_ZEROS = 0x40;
  private static final int VALUES = 0x80;
  private static final int MOST_ZEROS = 64;
  private static final int MOST_VALUES = 4;
  private static final int MOST_VALUE = 32;
  private static final int MOST_SEQUENCE_BYTES = 5;

  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Has room behind the sketch while it is sparse. */
  private byte[] bytes;

  private int length;

  private Sketch(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  /** Returns whether a value has the head of a sketch; its runs may still be wrong. */
  public static boolean isSketch(byte[] value) {
    return value.length >= HEADER_BYTES
        && value[0] == 'H'
        && value[1] == 'Y'
        && value[2] == 'L'
        && value[3] == 'L'
        && (value[ENCODING_AT] == SPARSE
            || (value[ENCODING_AT] == DENSE && value.length == DENSE_BYTES));
  }

  /** Creates a sketch of no elements. */
  public static Sketch empty() {
    byte[] bytes = new byte[HEADER_BYTES + 2];
    bytes[0] = 'H';
    bytes[1] = 'Y';
    bytes[2] = 'L';
    bytes[3] = 'L';
    bytes[ENCODING_AT] = SPARSE;
    int run = putZeros(bytes, HEADER_BYTES, REGISTERS);
    return new Sketch(bytes, HEADER_BYTES + run);
  }

  /**
   * Reads a sketch.
   *
   * @param value {@link #isSketch}; is not changed
   */
  public static Sketch of(byte[] value) {
    return new Sketch(value.clone(), value.length);
  }

  /** Returns the sketch as a value. */
  public byte[] value() {
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }

  private boolean isDense() {
    return bytes[ENCODING_AT] == DENSE;
  }

  /** Returns whether a sketch is dense. */
  public static boolean isDense(byte[] sketch) {
    return sketch[ENCODING_AT] == DENSE;
  }

  /** Says that the cardinality in the head is out of date. */
  public void outdate() {
    bytes[OUTDATED_AT] |= (byte) OUTDATED;
  }

  // ---- adding

  /**
   * Adds an element.
   *
   * @return whether that changed a register
   */
  public boolean add(byte[] element) throws CorruptSketch {
    long hash = hash(element);
    int index = (int) hash & (REGISTERS - 1);
    int value = Long.numberOfTrailingZeros((hash >>> 14) | (1L << HASH_BITS)) + 1;
    return raise(index, value);
  }

  /** Raises registers to those given, where these are greater. */
  public void raiseAll(byte[] registers) throws CorruptSketch {
    for (int i = 0; i < REGISTERS; i++) {
      if (registers[i] != 0) {
        boolean _ = raise(i, registers[i]);
      }
    }
  }

  private boolean raise(int index, int value) throws CorruptSketch {
    return isDense() ? raiseDense(index, value) : raiseSparse(index, value);
  }

  private boolean raiseDense(int index, int value) {
    if (value <= dense(bytes, index)) {
      return false;
    }
    int at = HEADER_BYTES + index * REGISTER_BITS / Byte.SIZE;
    int shift = index * REGISTER_BITS % Byte.SIZE;
    bytes[at] = (byte) ((bytes[at] & ~(REGISTER_MASK << shift)) | (value << shift));
    if (shift > Byte.SIZE - REGISTER_BITS) {
      int rest = Byte.SIZE - shift;
      bytes[at + 1] = (byte) ((bytes[at + 1] & ~(REGISTER_MASK >> rest)) | (value >> rest));
    }
    return true;
  }

  private static int dense(byte[] sketch, int index) {
    int at = HEADER_BYTES + index * REGISTER_BITS / Byte.SIZE;
    int shift = index * REGISTER_BITS % Byte.SIZE;
    int pair = sketch[at] & 0xff;
    if (shift > Byte.SIZE - REGISTER_BITS) {
      pair |= (sketch[at + 1] & 0xff) << Byte.SIZE;
    }
    return (pair >> shift) & REGISTER_MASK;
  }

  private boolean raiseSparse(int index, int value) throws CorruptSketch {
    if (value > MOST_VALUE) {
      makeDense();
      return raiseDense(index, value);
    }
    int before = -1;
    int at = HEADER_BYTES;
    int first = 0;
    while (at < length && index >= first + runLength(bytes, at, length)) {
      before = at;
      first += runLength(bytes, at, length);
      at += runBytes(bytes, at);
    }
    if (at >= length || at + runBytes(bytes, at) > length) {
      throw new CorruptSketch();
    }
    int run = runLength(bytes, at, length);
    boolean hasValues = isValues(bytes[at]);
    if (hasValues && runValue(bytes[at]) >= value) {
      return false;
    }
    if (run == 1 && runBytes(bytes, at) == 1) {
      bytes[at] = values(value, 1);
    } else {
      byte[] sequence = new byte[MOST_SEQUENCE_BYTES];
      int used = put(sequence, 0, hasValues, runValue(bytes[at]), index - first);
      sequence[used++] = values(value, 1);
      used += put(sequence, used, hasValues, runValue(bytes[at]), first + run - 1 - index);
      int replaced = runBytes(bytes, at);
      if (used > replaced && length + used - replaced > MOST_SPARSE_BYTES) {
        makeDense();
        return raiseDense(index, value);
      }
      replace(at, replaced, sequence, used);
    }
    join(before < 0 ? HEADER_BYTES : before);
    outdate();
    return true;
  }

  /** Writes a run of the same kind and value as that which is split; nothing if it is empty. */
  private static int put(byte[] into, int at, boolean hasValues, int value, int count) {
    if (count == 0) {
      return 0;
    }
    if (!hasValues) {
      return putZeros(into, at, count);
    }
    into[at] = values(value, count);
    return 1;
  }

  private static int putZeros(byte[] into, int at, int count) {
    if (count <= MOST_ZEROS) {
      into[at] = (byte) (count - 1);
      return 1;
    }
    into[at] = (byte) (LONG_ZEROS | ((count - 1) >> Byte.SIZE));
    into[at + 1] = (byte) (count - 1);
    return 2;
  }

  private void replace(int at, int replaced, byte[] sequence, int used) {
    int grown = length + used - replaced;
    if (grown > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(grown, Math.min(2 * length, MOST_SPARSE_BYTES)));
    }
    System.arraycopy(bytes, at + replaced, bytes, at + used, length - at - replaced);
    System.arraycopy(sequence, 0, bytes, at, used);
    length = grown;
  }

  /** Joins runs of the same value that are neighbours, near where one was changed. */
  private void join(int from) {
    int at = from;
    for (int looked = 0; at < length && looked < MOST_SEQUENCE_BYTES; looked++) {
      if (!isValues(bytes[at])) {
        at += runBytes(bytes, at);
      } else if (at + 1 < length
          && isValues(bytes[at + 1])
          && runValue(bytes[at]) == runValue(bytes[at + 1])
          && valuesLength(bytes[at]) + valuesLength(bytes[at + 1]) <= MOST_VALUES) {
        int together = valuesLength(bytes[at]) + valuesLength(bytes[at + 1]);
        bytes[at] = values(runValue(bytes[at]), together);
        System.arraycopy(bytes, at + 2, bytes, at + 1, length - at - 2);
        length--;
      } else {
        at++;
      }
    }
  }

  /** Turns a sparse sketch into a dense one; a dense one stays. */
  public void makeDense() throws CorruptSketch {
    if (isDense()) {
      return;
    }
    byte[] registers = new byte[REGISTERS];
    readSparse(bytes, length, registers);
    byte[] sparse = bytes;
    bytes = new byte[DENSE_BYTES];
    length = DENSE_BYTES;
    System.arraycopy(sparse, 0, bytes, 0, HEADER_BYTES);
    bytes[ENCODING_AT] = DENSE;
    for (int i = 0; i < REGISTERS; i++) {
      if (registers[i] != 0) {
        boolean _ = raiseDense(i, registers[i]);
      }
    }
  }

  // ---- runs

  private static boolean isValues(byte run) {
    return run < 0;
  }

  private static byte values(int value, int count) {
    return (byte) (VALUES | ((value - 1) << 2) | (count - 1));
  }

  private static int runValue(byte run) {
    return ((run >> 2) & 31) + 1;
  }

  private static int valuesLength(byte run) {
    return (run & 3) + 1;
  }

  private static int runBytes(byte[] sketch, int at) {
    return (sketch[at] & 0xc0) == LONG_ZEROS ? 2 : 1;
  }

  private static int runLength(byte[] sketch, int at, int length) {
    int run = sketch[at];
    if (run < 0) {
      return valuesLength(sketch[at]);
    }
    if (run < LONG_ZEROS) {
      return run + 1;
    }
    int low = at + 1 < length ? sketch[at + 1] & 0xff : 0; // a value of Redis has a zero behind it
    return (((run & 0x3f) << Byte.SIZE) | low) + 1;
  }

  /** Raises registers to those of a sparse sketch. */
  private static void readSparse(byte[] sketch, int length, byte[] registers) throws CorruptSketch {
    long index = 0;
    int at = HEADER_BYTES;
    while (at < length) {
      int run = runLength(sketch, at, length);
      if (isValues(sketch[at])) {
        if (index + run > REGISTERS) {
          break;
        }
        int value = runValue(sketch[at]);
        for (int i = (int) index; i < index + run; i++) {
          registers[i] = (byte) Math.max(registers[i], value);
        }
      }
      index += run;
      at += runBytes(sketch, at);
      requireAtMostAll(index);
    }
    if (index != REGISTERS) {
      throw new CorruptSketch();
    }
  }

  /** Ends early where there are too many registers, however long a hostile value is. */
  private static void requireAtMostAll(long registers) throws CorruptSketch {
    if (registers > REGISTERS) {
      throw new CorruptSketch();
    }
  }

  // ---- counting

  /**
   * Raises registers to those of a sketch, where these are greater.
   *
   * @param sketch {@link #isSketch}
   * @param registers one byte for each
   */
  public static void merge(byte[] sketch, byte[] registers) throws CorruptSketch {
    if (!isDense(sketch)) {
      readSparse(sketch, sketch.length, registers);
      return;
    }
    for (int i = 0; i < REGISTERS; i++) {
      registers[i] = (byte) Math.max(registers[i], dense(sketch, i));
    }
  }

  /**
   * Returns how many different elements were added to a sketch, about. The cardinality in the head
   * is believed if it is not out of date.
   *
   * @param sketch {@link #isSketch}
   */
  public static long count(byte[] sketch) throws CorruptSketch {
    if ((sketch[OUTDATED_AT] & OUTDATED) == 0) {
      return (long) LITTLE.get(sketch, CARDINALITY_AT);
    }
    int[] histogram = new int[REGISTER_MASK + 1];
    if (isDense(sketch)) {
      for (int i = 0; i < REGISTERS; i++) {
        histogram[dense(sketch, i)]++;
      }
      return estimate(histogram);
    }
    long index = 0;
    for (int at = HEADER_BYTES; at < sketch.length; at += runBytes(sketch, at)) {
      int run = runLength(sketch, at, sketch.length);
      histogram[isValues(sketch[at]) ? runValue(sketch[at]) : 0] += run;
      index += run;
      requireAtMostAll(index);
    }
    if (index != REGISTERS) {
      throw new CorruptSketch();
    }
    return estimate(histogram);
  }

  /**
   * Returns the cardinality that registers stand for.
   *
   * @param registers one byte for each
   */
  public static long countRegisters(byte[] registers) {
    int[] histogram = new int[REGISTER_MASK + 1];
    for (byte register : registers) {
      histogram[register]++;
    }
    return estimate(histogram);
  }

  /** Estimates the cardinality as Otmar Ertl does in arXiv:1702.01284. */
  private static long estimate(int[] histogram) {
    double m = REGISTERS;
    double z = m * tau((m - histogram[HASH_BITS + 1]) / m);
    for (int i = HASH_BITS; i >= 1; i--) {
      z += histogram[i];
      z *= 0.5;
    }
    z += m * sigma(histogram[0] / m);
    double estimate = ALPHA * m * m / z;
    return Double.isInfinite(estimate) ? Long.MIN_VALUE : Math.round(estimate); // as Redis
  }

  private static double sigma(double x) {
    if (x == 1) {
      return Double.POSITIVE_INFINITY;
    }
    double power = x;
    double y = 1;
    double z = x;
    double last;
    do {
      power *= power;
      last = z;
      z += power * y;
      y += y;
    } while (last != z);
    return z;
  }

  private static double tau(double x) {
    if (x == 0 || x == 1) {
      return 0;
    }
    double root = x;
    double y = 1;
    double z = 1 - x;
    double last;
    do {
      root = Math.sqrt(root);
      last = z;
      y *= 0.5;
      z -= (1 - root) * (1 - root) * y;
    } while (last != z);
    return z / 3;
  }

  /** Returns MurmurHash64A of an element, with the seed of Redis. */
  static long hash(byte[] element) {
    long m = 0xc6a4a7935bd1e995L;
    long h = SEED ^ (element.length * m);
    int at = 0;
    for (; at + Long.BYTES <= element.length; at += Long.BYTES) {
      long k = (long) LITTLE.get(element, at) * m;
      k = (k ^ (k >>> 47)) * m;
      h = (h ^ k) * m;
    }
    if (at < element.length) {
      long rest = 0;
      for (int i = element.length - 1; i >= at; i--) {
        rest = (rest << Byte.SIZE) | (element[i] & 0xff);
      }
      h = (h ^ rest) * m;
    }
    h = (h ^ (h >>> 47)) * m;
    return h ^ (h >>> 47);
  }
}
