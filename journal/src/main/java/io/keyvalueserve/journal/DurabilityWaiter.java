package io.keyvalueserve.journal;

import org.jspecify.annotations.Nullable;

/**
 * Somebody who waits until a record is certain. One of its two methods is called, once, on the
 * journal's sync thread, or on the caller's if it is certain already; it must not block and not
 * throw. When it has been called, the object may wait anew.
 */
public abstract class DurabilityWaiter {
  @Nullable DurabilityWaiter next;
  long position;

  /** Creates a waiter. */
  protected DurabilityWaiter() {}

  /** The record, and all before it in its partition, survive any crash. */
  protected abstract void durable();

  /**
   * Nobody can say whether the record survives: after a {@link JournalFailedException} that will
   * never be known; a {@link JournalFullException} says that the disk has been full for 10 seconds,
   * and the record may still become certain.
   */
  protected abstract void failed(JournalException e);

  /** Returns whether to wait on when the disk has been full for long. */
  protected boolean waitsForRoom() {
    return false;
  }
}
