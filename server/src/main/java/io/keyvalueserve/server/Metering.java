package io.keyvalueserve.server;

import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.metering.UsageEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what this member has counted to the ledger: at the end of every minute, at intervals within
 * it if those are shorter, and once more when the member ends. What the ledger could not take is
 * kept and told again, so a member that dies takes with it what it counted since the last interval,
 * and no more unless the ledger could not be reached.
 *
 * <p>The wall clock may be set. Setting it ends an interval, whether forward or back. The usage of
 * that interval belongs to the earlier of the two minutes, so that it is not dated in the future.
 *
 * <p>What is held, memory and connections, is looked at every second ({@link UsageLevels}). On a
 * thread of its own.
 */
final class Metering implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Metering.class);
  private static final long LOOK_MILLIS = 1_000;
  private static final long MINUTE_MILLIS = 60_000;
  private static final Duration LAST_PATIENCE = Duration.ofSeconds(10);

  /** The most events kept while the ledger cannot be reached: about 100 MiB. */
  private static final int MOST_KEPT = 200_000;

  private final UsageBook book;
  private final UsageLevels levels;
  private final Runnable more;
  private final Ledger ledger;
  private final InstantSource clock;
  private final long intervalMillis;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kvs-metering").daemon().factory());
  private final List<UsageEvent> kept = new ArrayList<>();
  private long interval;

  /** The ledger where usage is kept for good. */
  interface Ledger {
    /**
     * Takes events, each once however often it is told.
     *
     * @return those that it could not take now
     */
    List<UsageEvent> post(List<UsageEvent> events);
  }

  /**
   * @param more counts what else there is, before usage is told; may block
   * @param interval how often usage is told: 1 to 60 s, and a part of a minute
   */
  Metering(
      UsageBook book,
      UsageLevels levels,
      Runnable more,
      Ledger ledger,
      InstantSource clock,
      Duration interval) {
    this.more = more;
    this.book = book;
    this.levels = levels;
    this.ledger = ledger;
    this.clock = clock;
    this.intervalMillis = interval.toMillis();
    this.interval = clock.millis() / intervalMillis;
  }

  /** Begins. */
  void start() {
    ScheduledFuture<?> _ =
        timer.scheduleAtFixedRate(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    try {
      tick();
    } catch (RuntimeException e) {
      LOG.error("usage could not be told, it will be tried again", e);
    }
  }

  /** Looks at what is held, and tells what was used if an interval is over. */
  void tick() {
    levels.look();
    long now = clock.millis() / intervalMillis;
    if (now != interval) {
      more.run();
      flush(Math.min(interval, now) * intervalMillis / MINUTE_MILLIS);
      interval = now;
    }
  }

  private void flush(long minute) {
    levels.tell();
    kept.addAll(book.flush(minute));
    int told = kept.size();
    if (told == 0) {
      return;
    }
    List<UsageEvent> left = ledger.post(List.copyOf(kept));
    kept.clear();
    kept.addAll(left);
    if (!left.isEmpty()) {
      LOG.warn("usage waits for its ledger: events={} of={}", left.size(), told);
    }
    int excess = kept.size() - MOST_KEPT;
    if (excess > 0) {
      LOG.error("usage is lost, as its ledger could not be reached for long: events={}", excess);
      kept.subList(0, excess).clear();
    }
  }

  /** Tells what is left. */
  @Override
  public void close() {
    timer.shutdown();
    try {
      if (timer.awaitTermination(LAST_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        levels.look();
        flush(clock.millis() / MINUTE_MILLIS);
      } else {
        LOG.error("usage since the last interval is lost: its ledger does not answer");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.error("usage since the last interval is lost", e);
    }
  }
}
