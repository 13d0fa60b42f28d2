package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.Frame;
import io.keyvalueserve.journal.RecoverySink;

/**
 * Takes frames once, though they may be given again, all of them and in the same order, as one of
 * them could not be taken: it goes on with that one. What a frame replaces is told to be dead, and
 * so must not be told again when it has replaced something itself. By one thread at a time.
 */
abstract class OnceSink implements RecoverySink {
  private long taken;
  private long next;

  /** They are given from the beginning. */
  final void begin() {
    taken = Math.max(taken, next);
    next = 0;
  }

  private boolean isNew() {
    return next >= taken;
  }

  @Override
  public final void put(Frame frame) {
    if (isNew()) {
      putOnce(frame);
    }
    next++;
  }

  @Override
  public final void remove(Frame frame) {
    if (isNew()) {
      removeOnce(frame);
    }
    next++;
  }

  @Override
  public final void clear(Frame frame) {
    if (isNew()) {
      clearOnce(frame);
    }
    next++;
  }

  @Override
  public final void drop(Frame frame) {
    if (isNew()) {
      dropOnce(frame);
    }
    next++;
  }

  abstract void putOnce(Frame frame);

  abstract void removeOnce(Frame frame);

  abstract void clearOnce(Frame frame);

  abstract void dropOnce(Frame frame);
}
