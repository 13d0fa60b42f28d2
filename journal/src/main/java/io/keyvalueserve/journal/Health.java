package io.keyvalueserve.journal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The state of the journal: working, full, failed or closed. A full journal works again when space
 * returns. A failed one does not: after a write or a sync that the disk refused, the disk's content
 * is unknown, and a second attempt that succeeds proves nothing. Thread-safe.
 */
final class Health {
  private volatile @Nullable JournalFailedException failure;
  private volatile @Nullable NoSpaceException full;
  private volatile boolean writesNothing; // of what it has taken, as the disk has no room for it
  private volatile boolean closed;
  private volatile Runnable whenFailed = () -> {};
  private volatile boolean troubled; // any of these: what an append looks at

  /** Throws if nothing can be appended now. */
  void requireWritable() {
    if (troubled) {
      requireNotFailed();
      NoSpaceException e = full;
      if (e != null) {
        throw new JournalFullException(
            "the journal's disk is full, nothing was written: %s; make room or delete data"
                .formatted(e.getMessage()),
            e);
      }
    }
  }

  /** Throws if not even what makes room can be appended now; where the stream has a reserve. */
  void requireRemovable() {
    if (troubled) {
      requireNotFailed();
      if (writesNothing) {
        requireWritable();
      }
    }
  }

  /** Returns whether a frame that makes room can be appended now, if the stream has a reserve. */
  boolean takesRemoves() {
    return !troubled || (failure == null && !closed && !writesNothing);
  }

  /** Returns the error for a removal when removals have used up their reserve. */
  JournalFullException reserveUsed() {
    return new JournalFullException(
        "the journal's disk is full, nothing was removed: removes have used up what is kept for"
            + " them, and compaction makes room; try again",
        full);
  }

  /** Returns whether anything can be appended now. */
  boolean isWritable() {
    return !troubled;
  }

  /** Throws if nothing can be appended any more. */
  void requireNotFailed() {
    JournalFailedException e = failure;
    if (e != null) {
      throw new JournalFailedException(String.valueOf(e.getMessage()), e);
    }
    if (closed) {
      throw new JournalFailedException("the journal is closed", null);
    }
  }

  /** Throws if the disk refused something: then nothing may be said to be certain any more. */
  void requireSound() throws IOException {
    JournalFailedException e = failure;
    if (e != null) {
      throw new IOException(e);
    }
  }

  /** The disk refused something; the first refusal is the one that is told. */
  synchronized JournalFailedException fail(String what, IOException e) {
    JournalFailedException known = failure;
    if (known == null) {
      known =
          new JournalFailedException(
              "the journal failed and takes no more writes: %s: %s; restart the member on a disk that works"
                  .formatted(what, e.getMessage()),
              e);
      failure = known;
      troubled = true;
      whenFailed.run();
    }
    return known;
  }

  /** Has something done when the disk refuses something: at once if it has. */
  synchronized void whenFailed(Runnable task) {
    whenFailed = task;
    if (failure != null) {
      task.run();
    }
  }

  /** The disk has no room for what was appended. */
  synchronized void full(NoSpaceException e) {
    full = e;
    writesNothing = true;
    troubled = true;
  }

  /** The disk has no room for another chunk; the present ones have their place. */
  synchronized void noChunk(NoSpaceException e) {
    full = e;
    troubled = true;
  }

  /** The disk has room for what was appended. */
  void written() {
    if (writesNothing) {
      synchronized (this) {
        writesNothing = false;
      }
    }
  }

  synchronized void roomAgain() {
    full = null;
    writesNothing = false;
    troubled = failure != null || closed;
  }

  synchronized void close() {
    closed = true;
    troubled = true;
  }

  boolean isFull() {
    return full != null;
  }

  @Nullable NoSpaceException fullness() {
    return full;
  }

  @Nullable JournalFailedException failure() {
    return failure;
  }
}
