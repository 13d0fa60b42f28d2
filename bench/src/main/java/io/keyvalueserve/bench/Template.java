package io.keyvalueserve.bench;

/** A request that was encoded for key 0, of which copies are made for other keys. */
final class Template {
  private final byte[] bytes;
  private final int keyEnd;

  /**
   * @param bytes the request
   * @param keyEnd where the digits of its key end
   */
  Template(byte[] bytes, int keyEnd) {
    this.bytes = bytes;
    this.keyEnd = keyEnd;
  }

  int length() {
    return bytes.length;
  }

  /** Puts the request for a key at a place, and returns where it ends. */
  int put(byte[] out, int begin, int key) {
    System.arraycopy(bytes, 0, out, begin, bytes.length);
    int at = begin + keyEnd;
    for (int rest = key; rest > 0; rest /= 10) {
      out[--at] = (byte) ('0' + rest % 10);
    }
    return begin + bytes.length;
  }
}
