package io.keyvalueserve.bench;

/** Computes and asks nothing. */
final class IsolationSpin implements IsolationAttack {
  private volatile boolean stopped;

  @Override
  public void run(IsolationOrder order, IsolationTally tally) {
    Clock.sleepUntil(order.begin());
    while (System.nanoTime() < order.to() && !stopped) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void stop() {
    stopped = true;
  }
}
