package io.keyvalueserve.server;

import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.server.config.DescriptorPlan;
import io.keyvalueserve.server.config.UnauthenticatedSettings;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The budget of all peers without a key of a process, and the timer that closes those that do not
 * authenticate in time. Says once a minute in the log how many connections were closed.
 */
final class PeersWithoutKey implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeersWithoutKey.class);
  private static final long SECONDS_BETWEEN_LINES = 60;

  private final PeerBudget budget;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kvs-peers").daemon().factory());
  private long loggedEvictions;
  private long loggedTimeouts;
  private long secondsSinceLine = SECONDS_BETWEEN_LINES;

  private PeersWithoutKey(PeerBudget budget) {
    this.budget = budget;
    ScheduledFuture<?> _ = timer.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
  }

  /** Makes a budget that fits this process, and starts its timer. */
  static PeersWithoutKey ofThisProcess(UnauthenticatedSettings settings) {
    return new PeersWithoutKey(
        new PeerBudget(
            settings.limits(DescriptorPlan.ofProcess(), Runtime.getRuntime().maxMemory()),
            System::nanoTime));
  }

  /** The budget, for all doors. */
  PeerBudget budget() {
    return budget;
  }

  private void look() {
    try {
      budget.closeOverdue();
      secondsSinceLine++;
      long evictions = budget.evictions() - loggedEvictions;
      long timeouts = budget.timeouts() - loggedTimeouts;
      if (secondsSinceLine >= SECONDS_BETWEEN_LINES && evictions + timeouts > 0) {
        secondsSinceLine = 0;
        loggedEvictions += evictions;
        loggedTimeouts += timeouts;
        LOG.warn(
            "connections without a key were closed since the last such line: {} that did not"
                + " authenticate within {} s, {} to make room; {} are open and hold {} bytes",
            timeouts,
            budget.limits().timeToAuthenticate().toSeconds(),
            evictions,
            budget.connections(),
            budget.bytes());
      }
    } catch (RuntimeException e) {
      LOG.error("a connection without a key could not be closed", e);
    }
  }

  /** Stops the timer. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
