package io.keyvalueserve.bench;

/** Computes and asks nothing. */
final class IsolationSpin implements IsolationAttack {
  private volatile boolean stopped;

  @Override
  public void run(IsolationOrder order, IsolationTally tally) {
    tally.begin();
    while (!tally.isOver() && !stopped) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void stop() {
    stopped = true;
  }
}
