package io.keyvalueserve.server;

import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Figures for whoever watches: one sampler for all streams, which rests while nobody does. A stream
 * that is slow misses samples and slows nobody down. Thread-safe.
 */
public final class LiveFigures implements AutoCloseable {
  /** The most streams that operators may have open at a time. */
  public static final int MOST_OF_OPERATORS = 20;

  /** The most streams that all tenants may have open together; they take none of the operators'. */
  public static final int MOST_OF_TENANTS = 100;

  /** The most of them that may be a single tenant's. */
  public static final int MOST_OF_A_TENANT = 8;

  private static final Logger LOG = LoggerFactory.getLogger(LiveFigures.class);

  private final RepeatedWarning failures =
      new RepeatedWarning(LOG, "live figures could not be had and will be tried for again");
  private static final double NANOS = 1e9;

  private final Function<Set<TenantName>, LiveSample> source;
  private final Predicate<Identity> isValid;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Integer, Integer> openByTenant = new HashMap<>();
  private final Map<TenantName, Integer> watched = new HashMap<>();
  private int openByOperators;
  private int openByTenants;
  private long frames;
  private @Nullable Frame latest;
  private boolean closed;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("kvs-live").daemon().factory());

  /**
   * Creates an instance that looks at the source again and again.
   *
   * @param source takes a sample with these tenants, and others; may block
   * @param isValid whether a tenant's identity may still watch; never blocks
   * @param period from the end of one look to the next
   */
  LiveFigures(
      Function<Set<TenantName>, LiveSample> source, Predicate<Identity> isValid, Duration period) {
    this.source = source;
    this.isValid = isValid;
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(this::look, 0, period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * A sample and the one before it.
   *
   * @param number one more than that of the frame before
   * @param before null if this is the first since somebody began to watch
   */
  public record Frame(long number, LiveSample now, @Nullable LiveSample before) {
    /** Returns the rate of a tenant's requests that were not admitted, per second. */
    public double throttledPerSecond(TenantName tenant) {
      TenantUsage usage = now.tenants().get(tenant);
      TenantUsage earlier = before == null ? null : before.tenants().get(tenant);
      if (usage == null || before == null || earlier == null) {
        return 0;
      }
      double seconds = Duration.between(before.at(), now.at()).toNanos() / NANOS;
      // A member that left took its count with it.
      return seconds <= 0 ? 0 : Math.max(0, usage.throttled() - earlier.throttled()) / seconds;
    }
  }

  /**
   * Begins to watch.
   *
   * @param watcher a tenant, or null for an operator
   * @param subject a tenant that is in each sample from now on; null for none
   * @return empty if as many watch as may, or the server is ending
   */
  public Optional<Stream> open(@Nullable Identity watcher, @Nullable TenantName subject) {
    lock.lock();
    try {
      boolean taken = !closed && (watcher == null ? takeOperators() : takeOf(watcher.number()));
      if (taken && subject != null) {
        watched.merge(subject, 1, Integer::sum);
      }
      return taken ? Optional.of(new Stream(watcher, subject)) : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private boolean takeOperators() {
    if (openByOperators >= MOST_OF_OPERATORS) {
      return false;
    }
    openByOperators++;
    return true;
  }

  private boolean takeOf(int tenant) {
    int own = openByTenant.getOrDefault(tenant, 0);
    if (openByTenants >= MOST_OF_TENANTS || own >= MOST_OF_A_TENANT) {
      return false;
    }
    openByTenants++;
    openByTenant.put(tenant, own + 1);
    return true;
  }

  private void giveBack(@Nullable Identity watcher) {
    if (watcher == null) {
      openByOperators--;
    } else {
      openByTenants--;
      openByTenant.computeIfPresent(
          watcher.number(), (tenant, count) -> count == 1 ? null : count - 1);
    }
  }

  /** The view of one watcher. Not thread-safe. */
  public final class Stream implements AutoCloseable {
    private final @Nullable Identity watcher;
    private final @Nullable TenantName subject;
    private long seen;
    private boolean left;

    private Stream(@Nullable Identity watcher, @Nullable TenantName subject) {
      this.watcher = watcher;
      this.subject = subject;
    }

    /**
     * The next frame, when there is one. Blocks.
     *
     * @return null if nothing follows: the watcher may not watch any more, or the server ends
     */
    public @Nullable Frame next() throws InterruptedException {
      Frame frame = awaitNext();
      return frame != null && (watcher == null || isValid.test(watcher)) ? frame : null;
    }

    private @Nullable Frame awaitNext() throws InterruptedException {
      lock.lockInterruptibly();
      try {
        while (!closed && (latest == null || latest.number() <= seen)) {
          changed.await();
        }
        if (closed || latest == null) {
          return null;
        }
        seen = latest.number();
        return latest;
      } finally {
        lock.unlock();
      }
    }

    /** Watches no longer. */
    @Override
    public void close() {
      lock.lock();
      try {
        if (!left) {
          left = true;
          giveBack(watcher);
          if (subject != null) {
            watched.computeIfPresent(subject, (name, count) -> count == 1 ? null : count - 1);
          }
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private void look() {
    try {
      if (isWatched()) {
        show(source.apply(watched()));
      }
    } catch (RuntimeException e) {
      // The timer would not call again.
      if (!isClosed()) {
        failures.because(e);
      }
    }
  }

  /**
   * Returns whether anybody watches. If not, forgets the latest frame, as it would be out of date
   * for the next watcher.
   */
  private boolean isWatched() {
    lock.lock();
    try {
      boolean watched = openByOperators + openByTenants > 0;
      if (!watched) {
        latest = null;
      }
      return watched;
    } finally {
      lock.unlock();
    }
  }

  private Set<TenantName> watched() {
    lock.lock();
    try {
      return Set.copyOf(watched.keySet());
    } finally {
      lock.unlock();
    }
  }

  private void show(LiveSample sample) {
    lock.lock();
    try {
      Frame last = latest;
      frames++;
      latest = new Frame(frames, sample, last == null ? null : last.now());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Ends all streams. */
  @Override
  public void close() {
    timer.shutdownNow();
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
