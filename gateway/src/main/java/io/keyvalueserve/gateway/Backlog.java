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

  /** When it was read. */
  private long firstNanos;

  private @Nullable ArrayDeque<Read> rest;

  /** Of the rest. */
  private long restBytes;

  /** Of the buffers, used or not. */
  private long capacity;

  private record Read(ByteBuf bytes, long nanos) {}

  boolean isEmpty() {
    return first == null;
  }

  /** Takes what was read at a time over. */
  void add(ByteBuf read, long nanos) {
    capacity += read.capacity();
    if (first == null) {
      first = read;
      firstNanos = nanos;
      return;
    }
    ArrayDeque<Read> behind = rest;
    if (behind == null) {
      behind = new ArrayDeque<>();
      rest = behind;
    }
    behind.add(new Read(read, nanos));
    restBytes += read.readableBytes();
  }

  /** What came first and is not used up; null if there is nothing. Stays the backlog's. */
  @Nullable ByteBuf first() {
    return first;
  }

  /** When that was read. */
  long firstNanos() {
    return firstNanos;
  }

  /** Lets what came first go. */
  void removeFirst() {
    ByteBuf used = first;
    if (used != null) {
      ArrayDeque<Read> behind = rest;
      Read next = behind == null ? null : behind.poll();
      if (next == null) {
        first = null;
        rest = null;
      } else {
        first = next.bytes();
        firstNanos = next.nanos();
        restBytes -= next.bytes().readableBytes();
      }
      capacity -= used.capacity();
      used.release();
    }
  }

  /** How much memory its buffers take, in bytes. */
  long capacity() {
    return capacity;
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
