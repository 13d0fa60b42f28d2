package io.keyvalueserve.hazelcast;

/**
 * Chooses the size of a connection's buffer: small, until it fills; small again when it has long
 * held little. With a thousand connections most of them need next to nothing.
 */
final class ElasticSize {
  /** The bytes of a buffer at first, and when it is little used. */
  static final int LEAST_BYTES = 4 << 10;

  private static final int GROWTH = 4;
  private static final int CALM_ROUNDS = 1024;

  private final int most;
  private int size;
  private int calm;

  /**
   * @param most the largest size it may have, in bytes
   */
  ElasticSize(int most) {
    this.most = Math.max(most, LEAST_BYTES);
    this.size = LEAST_BYTES;
  }

  /** Returns the bytes that the buffer should have now. */
  int size() {
    return size;
  }

  boolean isLargest() {
    return size == most;
  }

  /** The buffer was too small. */
  void grow() {
    size = (int) Math.min(most, (long) size * GROWTH);
    calm = 0;
  }

  /** The buffer held this much in one round, in bytes, and that was enough. */
  void held(int bytes) {
    if (bytes >= LEAST_BYTES) {
      calm = 0;
    } else if (size > LEAST_BYTES && ++calm == CALM_ROUNDS) {
      size = LEAST_BYTES;
      calm = 0;
    }
  }
}
