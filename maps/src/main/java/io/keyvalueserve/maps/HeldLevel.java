package io.keyvalueserve.maps;

/**
 * Bytes that are held at present, in memory and on the disk, and their integral over time.
 *
 * <p>The integral is exact: the owner says when a level changes. Byte-milliseconds fit a long for
 * 12 days of 8 GiB. Of one thread at a time; allocates nothing.
 */
final class HeldLevel {
  private long bytes;
  private long spilled;
  private long sinceMillis;
  private long byteMillis;
  private long spilledByteMillis;

  /** Returns the bytes in memory. */
  long bytes() {
    return bytes;
  }

  /** Returns the bytes of values on the disk. */
  long spilled() {
    return spilled;
  }

  /** Changes the levels. */
  void change(long moreBytes, long moreSpilled, long nowMillis) {
    pass(nowMillis);
    bytes += moreBytes;
    spilled += moreSpilled;
  }

  /** Returns whether nothing is held, and nothing is left to hand over. */
  boolean isNothing() {
    return (bytes | spilled | byteMillis | spilledByteMillis) == 0;
  }

  /** Hands over what was held until now, and forgets it. */
  void handOver(int number, long nowMillis, Charges.Heir heir) {
    pass(nowMillis);
    if ((byteMillis | spilledByteMillis) != 0) {
      heir.take(number, byteMillis, spilledByteMillis);
      byteMillis = 0;
      spilledByteMillis = 0;
    }
  }

  private void pass(long nowMillis) {
    long elapsed = nowMillis - sinceMillis;
    sinceMillis = nowMillis;
    byteMillis += bytes * elapsed;
    spilledByteMillis += spilled * elapsed;
  }
}
