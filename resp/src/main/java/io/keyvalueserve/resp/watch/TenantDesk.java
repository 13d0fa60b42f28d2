package io.keyvalueserve.resp.watch;

import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.resp.protocol.Arguments;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The state that one tenant's sessions at one member's Redis door share: the slow log and its
 * threshold, latency events, monitors, and a pause. It lasts until the member ends or the tenant is
 * deleted. Thread-safe.
 */
public final class TenantDesk {
  /** The {@link #leastNanos} while no request is timed. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The time from which on a request is logged unless told otherwise, as in Redis. */
  public static final long USUAL_SLOW_MICROS = 10_000;

  private static final long LONGEST_PAUSE_MILLIS = TimeUnit.DAYS.toMillis(365);

  private final SlowLog slowLog;
  private final LatencyEvents events = new LatencyEvents();
  private final Monitors monitors = new Monitors();
  private final AtomicReference<@Nullable Pause> pause = new AtomicReference<>();
  private volatile long slowMicros = USUAL_SLOW_MICROS;
  private volatile long latencyMillis;
  private volatile long leastNanos;
  private volatile int timeoutSeconds;

  private volatile int noticeFlags;

  private record Pause(long untilNanos, boolean ofAll) {}

  /**
   * Creates a desk at which nothing happened yet.
   *
   * @param heap what the slow log counts to
   */
  public TenantDesk(HeapLease heap) {
    this.slowLog = new SlowLog(heap);
    setLeast();
  }

  /** Returns the slow requests. */
  public SlowLog slowLog() {
    return slowLog;
  }

  /** Returns the moments at which requests took long. */
  public LatencyEvents events() {
    return events;
  }

  /** Returns the sessions that watch all requests. */
  public Monitors monitors() {
    return monitors;
  }

  /** Forgets all; the tenant was deleted. */
  public void close() {
    slowLog.close();
  }

  /** Returns the events of keys that the tenant is told of; 0 if none. */
  public int noticeFlags() {
    return noticeFlags;
  }

  /** Sets the events of keys that the tenant is told of. */
  public void setNoticeFlags(int flags) {
    noticeFlags = flags;
  }

  // ---- what is slow

  /** Returns the microseconds from which on a request is logged; negative if none is. */
  public long slowMicros() {
    return slowMicros;
  }

  /** Sets the microseconds from which on a request is logged; negative for none. */
  public synchronized void setSlowMicros(long micros) {
    slowMicros = micros;
    setLeast();
  }

  /** Returns the milliseconds from which on a request is a latency event; 0 if none is. */
  public long latencyMillis() {
    return latencyMillis;
  }

  /** Sets the milliseconds from which on a request is a latency event; 0 for none. */
  public synchronized void setLatencyMillis(long millis) {
    latencyMillis = millis;
    setLeast();
  }

  private void setLeast() {
    long slow = slowMicros;
    long latency = latencyMillis;
    leastNanos =
        Math.min(
            slow < 0 ? NEVER : TimeUnit.MICROSECONDS.toNanos(slow),
            latency == 0 ? NEVER : TimeUnit.MILLISECONDS.toNanos(latency));
  }

  /** Returns the shortest time that is of interest; {@link #NEVER} if no time is. */
  public long leastNanos() {
    return leastNanos;
  }

  /**
   * Takes note of a request that took at least {@link #leastNanos}.
   *
   * @param isFast whether its command's cost does not grow with the data
   * @param address where its client connects from
   * @param clientName what its client calls itself; may be empty
   */
  public void slow(
      Arguments request,
      boolean isFast,
      long nanos,
      long unixSeconds,
      String address,
      String clientName) {
    long slow = slowMicros;
    long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
    if (slow >= 0 && micros >= slow) {
      slowLog.add(unixSeconds, micros, ShownArguments.logged(request), address, clientName);
    }
    long latency = latencyMillis;
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (latency > 0 && millis >= latency) {
      events.add(isFast ? LatencyEvents.FAST_COMMAND : LatencyEvents.COMMAND, unixSeconds, millis);
    }
  }

  // ---- idle sessions

  /** Returns the seconds after which an idle session is ended; 0 if none is. */
  public int timeoutSeconds() {
    return timeoutSeconds;
  }

  /** Sets the seconds after which an idle session is ended; 0 for never. */
  public void setTimeoutSeconds(int seconds) {
    timeoutSeconds = seconds;
  }

  // ---- a pause

  /**
   * Pauses the tenant's sessions. A pause that lasts already gets no shorter and no milder.
   *
   * @param millis from {@code nowNanos} on; longer than a year is a year
   * @param ofAll whether all requests wait, or writes only
   */
  public void pause(long nowNanos, long millis, boolean ofAll) {
    long until = nowNanos + TimeUnit.MILLISECONDS.toNanos(Math.min(millis, LONGEST_PAUSE_MILLIS));
    var _ =
        pause.updateAndGet(
            known ->
                known == null || known.untilNanos - nowNanos <= 0
                    ? new Pause(until, ofAll)
                    : new Pause(
                        until - known.untilNanos > 0 ? until : known.untilNanos,
                        ofAll || known.ofAll));
  }

  /** Ends the pause, if there is one. */
  public void unpause() {
    pause.set(null);
  }

  /** Returns whether a pause was begun and nobody has seen its end yet. */
  public boolean mayBePaused() {
    return pause.get() != null;
  }

  /**
   * Returns the nanoseconds until the pause ends; 0 if there is none.
   *
   * @param write whether this is asked for a request that writes
   */
  public long pauseNanos(long nowNanos, boolean write) {
    Pause known = pause.get();
    if (known == null) {
      return 0;
    }
    long left = known.untilNanos - nowNanos;
    if (left <= 0) {
      boolean _ = pause.compareAndSet(known, null);
      return 0;
    }
    return write || known.ofAll ? left : 0;
  }
}
