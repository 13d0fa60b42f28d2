package io.keyvalueserve.bench;

import java.nio.file.Path;

/** Takes snapshots of the aggressor's keys as the operator, one after the other. */
final class IsolationSnapshots implements IsolationAttack {
  private static final long LOOK_MILLIS = 20;

  private final OwnApi api;
  private final IsolationThreads threads = new IsolationThreads();

  IsolationSnapshots(IsolationOrder order) {
    Integer port = order.doors().get(HostileDoor.HTTP);
    if (port == null || order.data() == null) {
      throw new BenchException("snapshots need the HTTP port of this product, and its folder");
    }
    api = new OwnApi(port, Path.of(order.data()));
  }

  @Override
  public void run(IsolationOrder order, IsolationTally tally) {
    threads.run(order, tally, _ -> take(tally));
  }

  private void take(IsolationTally tally) {
    String job = api.beginSnapshot(IsolationServer.AGGRESSOR);
    while (!api.isOver(job)) {
      Clock.sleepMillis(LOOK_MILLIS);
    }
    tally.answered(1);
  }

  @Override
  public void clean() {
    api.close();
  }

  @Override
  public void stop() {
    threads.stop();
  }
}
