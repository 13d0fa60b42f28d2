package io.keyvalueserve.gateway;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What was read of one connection and waits for its slice, as it came. An empty one holds no
 * memory. On the connection's event loop only.
 */
final class Backlog {
  /** When there is more, nothing is read until there is half of it. */
  private static final int MOST_BYTES = 64 * 1024;

  /** Mostly there is one. */
  private @Nullable ByteBuf first;

  private @Nullable ArrayDeque<ByteBuf> rest;

  /** Of the rest. */
  private long restBytes;

  boolean isEmpty() {
    return first == null;
  }

  /** Takes what was read over. */
  void add(ByteBuf read) {
    if (first == null) {
      first = read;
      return;
    }
    ArrayDeque<ByteBuf> behind = rest;
    if (behind == null) {
      behind = new ArrayDeque<>();
      rest = behind;
    }
    behind.add(read);
    restBytes += read.readableBytes();
  }

  /** What came first and is not used up; null if there is nothing. Stays the backlog's. */
  @Nullable ByteBuf first() {
    return first;
  }

  /** Lets what came first go. */
  void removeFirst() {
    ByteBuf used = first;
    if (used != null) {
      ArrayDeque<ByteBuf> behind = rest;
      ByteBuf next = behind == null ? null : behind.poll();
      first = next;
      if (next == null) {
        rest = null;
      } else {
        restBytes -= next.readableBytes();
      }
      used.release();
    }
  }

  void clear() {
    while (first != null) {
      removeFirst();
    }
  }

  /**
   * Whether there is room for more.
   *
   * @param emptying whether it was full: then there is room again when half of it is used up
   */
  boolean hasRoom(boolean emptying) {
    ByteBuf oldest = first;
    return oldest == null
        || restBytes + oldest.readableBytes() <= (emptying ? MOST_BYTES / 2 : MOST_BYTES);
  }
}
