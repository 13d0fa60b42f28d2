package io.keyvalueserve.engine;

/**
 * What a thread has done for its sessions that a crash could still undo, though it must not once it
 * has been acknowledged: the answers are held back until it is certain.
 *
 * <p>A {@link DirectMap} that was made with this adds to it. Used by that thread only.
 */
public interface Uncertain {
  /** Of an engine that is certain of whatever it has answered. */
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

  /** How often something was added to it that was not certain. Never falls. */
  long additions();

  /**
   * Has somebody told when all is certain that was added until now and not awaited before. What is
   * added from now on belongs to the next one.
   */
  void await(Waiter waiter);

  /**
   * Is told once, by one of its methods, on any thread, also on the caller's before {@link #await}
   * returns. Must not block and not throw.
   */
  interface Waiter {
    /** All of it survives a crash. */
    void certain();

    /**
     * It will never be known.
     *
     * @param failure for the clients
     */
    void failed(Outcome.Failure failure);
  }
}
