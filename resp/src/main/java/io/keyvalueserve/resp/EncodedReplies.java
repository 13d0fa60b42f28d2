package io.keyvalueserve.resp;

import io.keyvalueserve.resp.protocol.ReplyWriter;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Replies as the bytes that a client will get: for many of them some arrays, which cost a garbage
 * collector next to nothing, where objects would be as many as replies. One thread.
 */
final class EncodedReplies {
  private static final int FIRST_BYTES = 512;
  private static final byte[] LINE_END = {'\r', '\n'};

  private final ReplyChunks free;
  private final Deque<Chunk> chunks = new ArrayDeque<>();
  private long bytes;

  /**
   * Creates an instance without replies.
   *
   * @param free of the event loop that they are gathered on
   */
  EncodedReplies(ReplyChunks free) {
    this.free = free;
  }

  /** Bytes of whole replies. */
  private static final class Chunk {
    byte[] bytes;
    int length;

    Chunk(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  /** Returns the bytes around a bulk string of so many bytes. */
  static int frameBytes(int length) {
    return 1 + digits(length) + 2 * LINE_END.length;
  }

  /**
   * Writes what goes before a bulk string.
   *
   * @return where the string begins
   */
  static int putHead(byte[] to, int at, int length) {
    int digits = digits(length);
    to[at] = '$';
    int rest = length;
    for (int i = at + digits; i > at; i--) {
      to[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return putLineEnd(to, at + 1 + digits);
  }

  /**
   * Writes the end of a line.
   *
   * @return where the next begins
   */
  static int putLineEnd(byte[] to, int at) {
    to[at] = LINE_END[0];
    to[at + 1] = LINE_END[1];
    return at + LINE_END.length;
  }

  private static int digits(int length) {
    int digits = 1;
    for (int rest = length; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
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
      if (needed <= ReplyChunks.BYTES) {
        byte[] larger = free.take();
        System.arraycopy(last.bytes, 0, larger, 0, last.length);
        last.bytes = larger;
      } else {
        chunks.add(new Chunk(room <= ReplyChunks.BYTES ? free.take() : new byte[room]));
      }
    }
  }

  /** Returns the array in which {@link #ensure} has made room. */
  byte[] array() {
    return chunks.getLast().bytes;
  }

  /** Returns the offset in the array at which the room begins. */
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

  /** Returns the bytes that are kept. */
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
      free.give(next.bytes);
    }
    return !chunks.isEmpty();
  }
}
