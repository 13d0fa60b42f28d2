package io.keyvalueserve.gateway;

import io.keyvalueserve.gateway.protocol.ReplyWriter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Replies as the bytes that a client will get: for many of them some arrays, which cost a garbage
 * collector next to nothing, where objects would be as many as replies. One thread.
 */
final class EncodedReplies {
  /** Far less than what a collector takes for huge. */
  private static final int CHUNK_BYTES = 16 * 1024;

  private static final int FIRST_BYTES = 512;

  private final Deque<Chunk> chunks = new ArrayDeque<>();
  private long bytes;

  /** Bytes of whole replies. */
  private static final class Chunk {
    byte[] bytes;
    int length;

    Chunk(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  /**
   * Makes room for so many bytes behind those that are here: in {@link #array}, from {@link
   * #length} on. They count when {@link #keep} says so.
   */
  void ensure(int room) {
    Chunk last = chunks.peekLast();
    int needed = (last == null ? 0 : last.length) + room;
    if (last == null) {
      chunks.add(new Chunk(new byte[Math.max(room, FIRST_BYTES)]));
    } else if (needed > last.bytes.length) {
      if (needed <= CHUNK_BYTES) {
        last.bytes = Arrays.copyOf(last.bytes, CHUNK_BYTES);
      } else {
        chunks.add(new Chunk(new byte[Math.max(room, CHUNK_BYTES)]));
      }
    }
  }

  /** What {@link #ensure} has made room in. */
  byte[] array() {
    return chunks.getLast().bytes;
  }

  /** Where in the array the room begins. */
  int length() {
    return chunks.getLast().length;
  }

  /** Keeps the first bytes of the room. */
  void keep(int count) {
    chunks.getLast().length += count;
    bytes += count;
  }

  /** Adds the first bytes of an array. */
  void add(byte[] replies, int count) {
    ensure(count);
    System.arraycopy(replies, 0, array(), length(), count);
    keep(count);
  }

  /** How many bytes are kept. */
  long bytes() {
    return bytes;
  }

  /**
   * Writes some of what was kept, and forgets it.
   *
   * @return whether there is more
   */
  boolean writeNext(ReplyWriter writer) {
    Chunk next = chunks.poll();
    if (next != null) {
      int _ = writer.mark();
      writer.encoded(next.bytes, next.length);
    }
    return !chunks.isEmpty();
  }
}
