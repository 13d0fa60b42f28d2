package io.keyvalueserve.engine.rdb;

/**
 * The decompression of LZF, some at a time. A run is a control byte and what it says: up to 32
 * bytes as they are, or 3 to 264 bytes that were there before, up to 8192 bytes back.
 *
 * <p>For one thread.
 */
final class Lzf {
  /** No input becomes more than so many times its length. */
  static final int MOST_EXPANSION = 88;

  private static final int LITERALS = 32;
  private static final int LONG_MATCH = 7;

  private final byte[] in;
  private final int inEnd;
  private final byte[] out;
  private int inAt;
  private int outAt;

  /** Creates one that fills {@code out} exactly, from a range of bytes. */
  Lzf(byte[] in, int from, int to, byte[] out) {
    this.in = in;
    this.inAt = from;
    this.inEnd = to;
    this.out = out;
  }

  /**
   * Goes on.
   *
   * @param most about how many bytes to make
   * @return whether all is done
   */
  boolean run(int most) throws RdbException {
    long stop = (long) outAt + most;
    while (inAt < inEnd && outAt < stop) {
      int control = in[inAt++] & 0xff;
      if (control < LITERALS) {
        literals(control + 1);
      } else {
        match(control);
      }
    }
    if (inAt < inEnd) {
      return false;
    }
    require(outAt == out.length);
    return true;
  }

  private void literals(int count) throws RdbException {
    require(count <= out.length - outAt && count <= inEnd - inAt);
    System.arraycopy(in, inAt, out, outAt, count);
    inAt += count;
    outAt += count;
  }

  private void match(int control) throws RdbException {
    int count = control >> 5;
    if (count == LONG_MATCH) {
      count += next();
    }
    count += 2;
    int from = outAt - ((control & 0x1f) << Byte.SIZE) - next() - 1;
    require(from >= 0 && count <= out.length - outAt);
    for (int i = 0; i < count; i++) {
      out[outAt++] = out[from + i];
    }
  }

  private int next() throws RdbException {
    require(inAt < inEnd);
    return in[inAt++] & 0xff;
  }

  private static void require(boolean holds) throws RdbException {
    if (!holds) {
      throw new RdbException("compressed bytes that are none");
    }
  }
}
