package io.keyvalueserve.maps.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The set of values that a question is about. A value is in it if its code lies in one of some
 * ranges. If what was asked for cannot be written as a code that compares with those of the index,
 * a test decides.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class Selection {
  /** Codes from one string on and before another. */
  record Range(byte[] from, byte[] before) {
    boolean has(byte[] array, int offset, int length) {
      return Arrays.compareUnsigned(array, offset, offset + length, from, 0, from.length) >= 0
          && Arrays.compareUnsigned(array, offset, offset + length, before, 0, before.length) < 0;
    }
  }

  private static final int AFTER_ALL_KEYS = 0xFF;

  /** All there is. */
  static final Range EVERYTHING = new Range(new byte[0], new byte[] {-1, -1});

  private final List<Range> ranges = new ArrayList<>();
  private @Nullable Predicate<Comparable> test;

  Selection add(Range range) {
    ranges.add(range);
    return this;
  }

  Selection add(Predicate<Comparable> more) {
    Predicate<Comparable> before = test;
    test = before == null ? more : value -> before.test(value) || more.test(value);
    return this;
  }

  List<Range> ranges() {
    return ranges;
  }

  /** Returns whether no value is selected. */
  boolean isNothing() {
    return ranges.isEmpty() && test == null;
  }

  /** Returns whether values have to be tested one by one, in all of the index. */
  boolean tests() {
    return test != null;
  }

  /** Returns whether a value is selected. */
  boolean has(IndexCode code, byte[] array, int offset, int length) {
    for (Range range : ranges) {
      if (range.has(array, offset, length)) {
        return true;
      }
    }
    return test != null && test.test(code.get(array, offset));
  }

  /** The strings that begin with a code, if that is included, and all that come after them. */
  static byte[] from(byte[] code, boolean inclusive) {
    return inclusive ? code : after(code);
  }

  /**
   * Returns the end of a range that stops behind the strings that begin with a code, or before
   * them, if the code is not included.
   */
  static byte[] before(byte[] code, boolean inclusive) {
    return inclusive ? after(code) : code;
  }

  private static byte[] after(byte[] code) {
    byte[] after = Arrays.copyOf(code, code.length + 1);
    after[code.length] = (byte) AFTER_ALL_KEYS;
    return after;
  }
}
