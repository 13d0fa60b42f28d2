package io.keyvalueserve.resp.protocol;

import java.util.Arrays;

/**
 * A request where it lies: an array of bulk strings in the bytes that came from the network.
 *
 * <p>A view serves request after request, and allocates nothing after its first large one. It reads
 * only what is there as a whole and is written as clients write it; {@link RequestDecoder}, which
 * reads everything, would make the same of it. One thread.
 */
public final class RequestView implements Arguments {
  /** A request of more arguments is left to the decoder. */
  private static final int MOST_ARGUMENTS = 1024;

  private static final int FEW_ARGUMENTS = 8;
  private static final int MOST_DIGITS = 8;
  private static final int NOT_A_NUMBER = -1;
  private static final int MOST_TIME_DIGITS = 15;

  /** {@code *1\r\n$0\r\n\r\n}. */
  private static final int LEAST_BYTES = 10;

  private final int mostBulkBytes;
  private final long mostRequestBytes;
  private int[] offsets = new int[FEW_ARGUMENTS];
  private int[] lengths = new int[FEW_ARGUMENTS];
  private byte[] bytes = {};
  private int count;

  /** The offset at which the next number, or what follows it, begins. */
  private int at;

  /** A view of requests within these limits; others are left to the decoder. */
  public RequestView(RequestLimits limits) {
    this.mostBulkBytes = limits.bulkBytes();
    this.mostRequestBytes = limits.requestBytes();
  }

  /**
   * Looks at the request that begins at an index.
   *
   * @param limit where the bytes end that have come
   * @return where the next request begins, or -1 if this is for the decoder: not all of it has
   *     come, or it is not an array, or malformed, or beyond a limit
   */
  public int read(byte[] source, int from, int limit) {
    if (limit - from < LEAST_BYTES || source[from] != '*') {
      return -1;
    }
    bytes = source;
    at = from + 1;
    int announced = number(limit);
    if (announced < 1 || announced > MOST_ARGUMENTS) {
      return -1;
    }
    if (announced > offsets.length) {
      offsets = new int[MOST_ARGUMENTS];
      lengths = new int[MOST_ARGUMENTS];
    }
    long sum = 0;
    for (int i = 0; i < announced; i++) {
      if (at >= limit || source[at] != '$') {
        return -1;
      }
      at++;
      int length = number(limit);
      if (length < 0 || length > mostBulkBytes || length > limit - at - 2) {
        return -1;
      }
      offsets[i] = at;
      lengths[i] = length;
      sum += length;
      at += length + 2;
    }
    if (sum > mostRequestBytes) {
      return -1;
    }
    count = announced;
    return at;
  }

  /** A number without sign and leading zeros, and the end of its line, which are passed over. */
  private int number(int limit) {
    byte[] source = bytes;
    int next = at;
    int last = Math.min(limit - 2, next + MOST_DIGITS);
    int value = 0;
    while (next < last) {
      int digit = source[next] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      value = value * 10 + digit;
      next++;
    }
    int digits = next - at;
    if (digits == 0
        || (digits > 1 && source[at] == '0')
        || next > limit - 2
        || source[next] != '\r'
        || source[next + 1] != '\n') {
      return NOT_A_NUMBER;
    }
    at = next + 2;
    return value;
  }

  /** The array that the request lies in. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public byte[] array(int index) {
    return bytes;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int offset(int index) {
    return offsets[index];
  }

  @Override
  public int length(int index) {
    return lengths[index];
  }

  /**
   * Returns whether the argument is this word, in any case.
   *
   * @param word in upper-case ASCII
   */
  public boolean is(int index, String word) {
    int length = lengths[index];
    if (length != word.length()) {
      return false;
    }
    int from = offsets[index];
    for (int i = 0; i < length; i++) {
      int b = bytes[from + i];
      int upper = b >= 'a' && b <= 'z' ? b - ('a' - 'A') : b;
      if (upper != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The argument as a number of 1 to 15 digits, more than 0; or -1 if it is none such. */
  public long positive(int index) {
    int length = lengths[index];
    int from = offsets[index];
    if (length == 0 || length > MOST_TIME_DIGITS || bytes[from] == '0') {
      return -1;
    }
    long value = 0;
    for (int i = 0; i < length; i++) {
      int digit = bytes[from + i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /** Returns this request as a request of its own. */
  public Request toRequest() {
    byte[][] arguments = new byte[count][];
    for (int i = 0; i < count; i++) {
      arguments[i] = Arrays.copyOfRange(bytes, offsets[i], offsets[i] + lengths[i]);
    }
    return new Request(arguments);
  }
}
