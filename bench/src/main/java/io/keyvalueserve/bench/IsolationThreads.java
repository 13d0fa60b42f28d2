package io.keyvalueserve.bench;

/** The threads of an aggressor, of which each does its work again and again. */
final class IsolationThreads {
  /** One thread's work. */
  interface Work {
    /**
     * Does it once.
     *
     * @param thread the thread's number, from 0
     * @throws Exception if the server refuses: it is counted, and after a pause goes on
     */
    void once(int thread) throws Exception;
  }

  private volatile boolean stopped;

  /**
   * Works until the tally says that it is over, on as many threads as the order has connections.
   */
  void run(IsolationOrder order, IsolationTally tally, Work work) {
    Load.inParallel(order.force().connections(), number -> spend(tally, work, number));
  }

  private void spend(IsolationTally tally, Work work, int number) {
    do {
      try {
        work.once(number);
      } catch (Exception e) {
        tally.failed(e instanceof BenchException ? String.valueOf(e.getMessage()) : e.toString());
        Clock.sleepMillis(IsolationAttack.PAUSE_MILLIS);
      }
    } while (!tally.isOver() && !stopped);
  }

  /** None begins anything more. */
  void stop() {
    stopped = true;
  }
}
