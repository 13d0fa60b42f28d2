package io.keyvalueserve.resp;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The requests read from one connection that wait for its slice, or for its client to read replies.
 * An empty backlog holds no memory. On the connection's event loop only.
 */
final class Backlog {
  /** A connection may hold as many without asking for room; above, small reads are put together. */
  private static final int FEW_BYTES = 64 * 1024;

  /** The most that one read brings, and what small reads are put together in. */
  private static final int CHUNK_BYTES = 64 * 1024;

  private final BacklogRoom.Part room;

  /** Mostly there is one. */
  private @Nullable ByteBuf first;

  /** The time when it was read. */
  private long firstNanos;

  private @Nullable ArrayDeque<Read> rest;

  /** The readable bytes of {@link #rest}. */
  private long restBytes;

  /** The capacity of all buffers in bytes, used or not. */
  private long capacity;

  /**
   * @param isOpen whether others may be added to it
   */
  private record Read(ByteBuf bytes, long nanos, boolean isOpen) {}

  Backlog(BacklogRoom.Part room) {
    this.room = room;
  }

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
    int length = read.readableBytes();
    boolean isAlone = bytes() < FEW_BYTES || length > CHUNK_BYTES / 2;
    restBytes += length;
    if (isAlone) {
      behind.add(new Read(read, nanos, false));
      return;
    }
    Read last = behind.peekLast();
    if (last == null || !last.isOpen() || last.bytes().writableBytes() < length) {
      last = new Read(read.alloc().ioBuffer(CHUNK_BYTES, CHUNK_BYTES), nanos, true);
      capacity += last.bytes().capacity();
      behind.add(last);
    }
    last.bytes().writeBytes(read);
    capacity -= read.capacity();
    read.release();
  }

  /**
   * Returns the oldest buffer, from where it is not used up, or null if there is none. The backlog
   * keeps it.
   */
  @Nullable ByteBuf first() {
    return first;
  }

  /** Returns the time when that was read. */
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
      room.shrink(bytes());
    }
  }

  /** Returns the memory that its buffers take, in bytes. */
  long capacity() {
    return capacity;
  }

  void clear() {
    while (first != null) {
      removeFirst();
    }
    room.shrink(0);
  }

  /** Gives back room that it does not need. */
  void trim() {
    room.shrink(bytes());
  }

  private long bytes() {
    ByteBuf oldest = first;
    return oldest == null ? 0 : restBytes + oldest.readableBytes();
  }

  /**
   * Returns whether more may be read without asking for room.
   *
   * @param emptying whether it was full: then there is room again when half of it is used up
   */
  boolean hasRoom(boolean emptying) {
    return bytes() <= (emptying ? FEW_BYTES / 2 : FEW_BYTES);
  }

  /**
   * Takes room to read more ahead, for a client that does not read its replies.
   *
   * @param tenant the number of its tenant
   * @return whether there is any
   */
  boolean mayReadAhead(int tenant) {
    return room.covers(bytes() + CHUNK_BYTES, tenant);
  }
}
