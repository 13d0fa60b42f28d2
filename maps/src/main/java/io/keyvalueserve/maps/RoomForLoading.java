package io.keyvalueserve.maps;

import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Frees memory for records that are loaded from the log. The member may have held more than its
 * memory, in part on its disk: values that were loaded then go back there. Thread-safe.
 */
final class RoomForLoading {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
  private static final long MOST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(256);

  /** Before it is given up, however long each attempt takes. */
  private static final int FEWEST_IN_VAIN = 3;

  private final Maker maker;
  private final long patienceNanos;
  private final Object making = new Object();

  /** The number of attempts to free memory; {@link #made} counts those that freed any. */
  private volatile int begun;

  private volatile int made;

  /** A way to have memory come free. */
  interface Maker {
    /** Returns whether there is any way to free memory. */
    boolean isPossible();

    /** Returns whether little memory is free. */
    boolean isLittle();

    /**
     * Has some come free, though perhaps not before everybody has looked away from it. By one
     * thread at a time, without any partition's lock.
     *
     * @param urgently because something found none
     * @return whether there was any to be had
     */
    boolean make(boolean urgently);
  }

  /** Somebody who loads something: for one thread, and one thing. */
  final class Attempts {
    private int begunBefore;
    private int madeBefore;
    private int inVain;
    private long inVainSince;

    /**
     * It is tried, for the first time or again. Makes room before there is none left: what stays of
     * a value that is spilled needs some. To be called without any partition's lock.
     */
    void begin() {
      look();
      if (inVain == 0 && maker.isPossible() && maker.isLittle()) {
        boolean _ = makeSince(false);
        look();
      }
    }

    private void look() {
      madeBefore = made;
      begunBefore = begun;
    }

    /**
     * It found no memory: returns when it is worth to try again. Another thread may have made room
     * since it began; and what came free may be looked at still. To be called without any
     * partition's lock.
     *
     * @throws OutOfNativeMemoryException the failure, if there is no way
     */
    void failed(OutOfNativeMemoryException failure) {
      if (!maker.isPossible()) {
        throw failure;
      }
      if (makeSince(true)) {
        inVain = 0;
        return;
      }
      long now = System.nanoTime();
      if (inVain == 0) {
        inVainSince = now;
      }
      inVain++;
      if (inVain >= FEWEST_IN_VAIN && now - inVainSince > patienceNanos) {
        throw failure;
      }
      LockSupport.parkNanos(Math.min(MOST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(inVain, 10)));
    }

    /**
     * Has some come free, unless another thread has since this was tried; nor again, if another one
     * has only looked for some since then and found none. One may look at all that there is.
     */
    private boolean makeSince(boolean urgently) {
      synchronized (making) {
        if (made != madeBefore) {
          return true;
        }
        if (begun != begunBefore) {
          return false;
        }
        begun++;
        boolean any = maker.make(urgently);
        if (any) {
          made++;
        }
        return any;
      }
    }
  }

  RoomForLoading(Maker maker) {
    this(maker, PATIENCE_NANOS);
  }

  /**
   * @param patienceNanos for so long there may be nothing to be made before it is given up
   */
  RoomForLoading(Maker maker, long patienceNanos) {
    this.maker = maker;
    this.patienceNanos = patienceNanos;
  }

  Attempts attempts() {
    return new Attempts();
  }
}
