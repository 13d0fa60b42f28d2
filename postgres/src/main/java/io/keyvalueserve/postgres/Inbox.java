package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.wire.Message;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Messages of a client that wait, and whether a thread works on them. Thread-safe. */
final class Inbox {
  private static final int MOST_BYTES = 256 << 10;
  private static final int MOST_MESSAGES = 4096;

  private final Deque<Message> waiting = new ArrayDeque<>();
  private long bytes;
  private boolean working;
  private boolean closed;
  private long dropped;

  /** Adds a message; returns whether a thread is to begin to work. */
  synchronized boolean add(Message message) {
    if (closed) {
      return false;
    }
    waiting.add(message);
    bytes += message.heapBytes();
    return begin();
  }

  private boolean begin() {
    boolean begins = !working;
    working = true;
    return begins;
  }

  /** Drops what waits; returns whether a thread is to begin, to see that it is closed. */
  synchronized boolean close() {
    if (closed) {
      return false;
    }
    closed = true;
    waiting.clear();
    dropped = bytes;
    bytes = 0;
    return begin();
  }

  /** Takes the next message; null if there is none: the thread ends its work. */
  synchronized @Nullable Message next() {
    Message message = waiting.poll();
    if (message == null) {
      working = false;
    } else {
      bytes -= message.heapBytes();
    }
    return message;
  }

  /** Returns the bytes of messages that were dropped when it was closed. */
  synchronized long droppedBytes() {
    return dropped;
  }

  synchronized boolean isEmpty() {
    return waiting.isEmpty();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Returns whether a thread works, or is about to. */
  synchronized boolean isWorking() {
    return working;
  }

  /** Returns whether no more is to be read. */
  synchronized boolean isFull() {
    return bytes > MOST_BYTES || waiting.size() > MOST_MESSAGES;
  }

  /** Returns whether there is room again. */
  synchronized boolean hasRoom() {
    return bytes <= MOST_BYTES / 2 && waiting.size() <= MOST_MESSAGES / 2;
  }
}
