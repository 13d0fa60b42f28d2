package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Connections that send the next requests when the last ones are answered, half of them reads. One
 * that is refused or closed is opened anew, so many as a tenant may have.
 */
final class IsolationPipes implements IsolationAttack {
  private static final Mix MIX = Mix.of("50/50");
  private static final int WAIT_MILLIS = 10;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);

  private final IsolationTarget target;
  private final Map<RawConnection, TolerantWire> open = new HashMap<>();
  private final Wire wire;
  private volatile boolean stopped;
  private long nextAttempt = Long.MIN_VALUE;
  private boolean ending;

  IsolationPipes(IsolationTarget target) {
    this.target = target;
    wire = target.wire();
  }

  @Override
  public void run(IsolationOrder order, IsolationTally tally) {
    SplittableRandom random = new SplittableRandom(order.seed());
    nextAttempt = Long.MIN_VALUE;
    ending = false;
    try (Selector selector = Selector.open()) {
      do {
        grow(order, tally, random, selector);
        selector.select(key -> progress(key, order, tally, random), WAIT_MILLIS);
      } while (!tally.isOver() && !stopped);
      finish(order, tally, random, selector);
    } catch (IOException e) {
      throw new BenchException("waiting for replies failed", e);
    } finally {
      open.keySet().forEach(RawConnection::close);
      open.clear();
    }
  }

  /** What is on its way is waited for, or the server would find closed connections. */
  private void finish(
      IsolationOrder order, IsolationTally tally, SplittableRandom random, Selector selector)
      throws IOException {
    ending = true;
    long deadline = System.nanoTime() + IsolationVictim.PATIENCE_NANOS;
    while (!stopped
        && System.nanoTime() < deadline
        && !open.keySet().stream().allMatch(RawConnection::isIdle)) {
      selector.select(key -> progress(key, order, tally, random), WAIT_MILLIS);
    }
  }

  /**
   * Opens those that are missing, as long as there is time; one of them at a time once the server
   * refuses.
   */
  private void grow(
      IsolationOrder order, IsolationTally tally, SplittableRandom random, Selector selector) {
    while (open.size() < order.force().connections()
        && System.nanoTime() >= nextAttempt
        && !tally.isOver()
        && !stopped) {
      TolerantWire own = target.tolerant(wire, tally::failed);
      try {
        RawConnection connection =
            new RawConnection(own, target.login().port(), order.force().depth(), selector);
        open.put(connection, own);
        next(connection, order, random);
      } catch (BenchException e) {
        tally.failed(String.valueOf(e.getMessage()));
        nextAttempt = System.nanoTime() + PAUSE_NANOS;
      }
    }
  }

  private void progress(
      SelectionKey key, IsolationOrder order, IsolationTally tally, SplittableRandom random) {
    RawConnection connection = (RawConnection) key.attachment();
    TolerantWire own = open.get(connection);
    if (own == null) {
      return;
    }
    try {
      int failed = own.failed();
      int replies = connection.progress();
      tally.answered(replies - (own.failed() - failed));
      if (connection.isIdle() && !ending) {
        next(connection, order, random);
      }
    } catch (BenchException e) {
      tally.failed(String.valueOf(e.getMessage()));
      open.remove(connection);
      connection.close();
      nextAttempt = System.nanoTime() + PAUSE_NANOS;
    }
  }

  private void next(RawConnection connection, IsolationOrder order, SplittableRandom random) {
    for (int i = 0; i < order.force().depth(); i++) {
      connection.add(random.nextInt(target.entries()), MIX.reads(random));
    }
    connection.send();
  }

  @Override
  public void stop() {
    stopped = true;
  }
}
