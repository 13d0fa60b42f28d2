package io.keyvalueserve.gateway;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Arrays that replies are gathered in, for the next time. One for each event loop, and used by it
 * only.
 */
final class ReplyChunks {
  /** Far less than what a collector takes for huge. */
  static final int BYTES = 16 * 1024;

  /** As much is kept at most: 2 MiB. */
  private static final int MOST = 128;

  private final Deque<byte[]> free = new ArrayDeque<>();

  /** An array of {@link #BYTES}; what is in it means nothing. */
  byte[] take() {
    byte[] one = free.pollLast();
    return one == null ? new byte[BYTES] : one;
  }

  /** Takes an array back, which nobody uses any more, if it is one that may be kept. */
  void give(byte[] array) {
    if (array.length == BYTES && free.size() < MOST) {
      free.addLast(array);
    }
  }
}
