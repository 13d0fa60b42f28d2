package io.keyvalueserve.engine;

/**
 * The changes that a thread has made for its sessions and that a crash could still undo. An
 * acknowledged change must survive a crash, so the answers are held back until the changes are
 * certain.
 *
 * <p>A {@link DirectMap} that was made with this adds to it. Used by that thread only.
 */
public interface Uncertain {
  /** The instance of an engine that is certain of everything it has answered. */
  Uncertain NONE =
      new Uncertain() {
        @Override
        public long additions() {
          return 0;
        }

        @Override
        public void await(Waiter waiter) {
          waiter.certain();
        }
      };

  /** Returns the number of uncertain changes that were added to it. Never falls. */
  long additions();

  /**
   * Has somebody told when all is certain that was added until now and not awaited before. What is
   * added from now on belongs to the next one.
   */
  void await(Waiter waiter);

  /**
   * A waiter that is told once, by one of its methods, on any thread, also on the caller's before
   * {@link #await} returns. Must not block and not throw.
   */
  interface Waiter {
    /** Called when all of it survives a crash. */
    void certain();

    /**
     * Called when it will never be known.
     *
     * @param failure for the clients
     */
    void failed(Outcome.Failure failure);
  }
}
