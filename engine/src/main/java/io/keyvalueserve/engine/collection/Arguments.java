package io.keyvalueserve.engine.collection;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of an operation on a collection: byte strings and numbers, each in an order that
 * the operation defines. The arrays are not changed by anyone.
 */
public record Arguments(List<byte[]> texts, long[] numbers) {
  private static final long[] NO_NUMBERS = {};

  /** No arguments. */
  public static final Arguments NONE = of(List.of());

  /** Byte strings alone. */
  public static Arguments of(List<byte[]> texts) {
    return new Arguments(texts, NO_NUMBERS);
  }

  /** Byte strings alone. */
  public static Arguments of(byte[]... texts) {
    return of(List.of(texts));
  }

  /** The same with numbers. */
  public Arguments with(long... more) {
    return new Arguments(texts, more);
  }

  /** A byte string. */
  public byte[] text(int index) {
    return texts.get(index);
  }

  /** Returns the number of byte strings. */
  public int count() {
    return texts.size();
  }

  /** An integer. */
  public long number(int index) {
    return numbers[index];
  }

  /** A floating point number, kept as {@link Double#doubleToRawLongBits}. */
  public double real(int index) {
    return Double.longBitsToDouble(numbers[index]);
  }

  /** The bytes that they take, about. */
  public int bytes() {
    long bytes = (long) Long.BYTES * numbers.length;
    for (byte[] text : texts) {
      bytes += text.length;
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof Arguments that) || texts.size() != that.texts.size()) {
      return false;
    }
    for (int i = 0; i < texts.size(); i++) {
      if (!Arrays.equals(texts.get(i), that.texts.get(i))) {
        return false;
      }
    }
    return Arrays.equals(numbers, that.numbers);
  }

  @Override
  public int hashCode() {
    return 31 * texts.size() + Arrays.hashCode(numbers);
  }
}
