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

  /** For subclasses. */
  protected DurabilityWaiter() {}

  /** The record, and all before it in its partition, survive any crash. */
  protected abstract void durable();

  /** It will never be known whether the record survives. */
  protected abstract void failed(JournalException e);
}
