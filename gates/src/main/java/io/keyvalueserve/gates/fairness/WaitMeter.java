package io.keyvalueserve.gates.fairness;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The time that the sessions of one tenant have waited on one thread, and in whose favour.
 *
 * <p>The thread writes, without a lock or an atomic operation; any thread may read. A reading is of
 * one instant, but for how long the tenant was served: a version that is odd while something
 * changes tells the reader to read again (a sequence lock; Boehm, "Can Seqlocks Get Along with
 * Programming Language Memory Models?", MSPC 2012, section 4).
 */
@SuppressWarnings("FieldMayBeFinal") // changed through the handles
final class WaitMeter {
  /** The longest wait is told of the last one to two of these. */
  static final long INTERVAL_NANOS = 10_000_000_000L;

  private static final VarHandle VERSION;
  private static final VarHandle SERVED;
  private static final VarHandle WAITS;
  private static final VarHandle WAITED;
  private static final VarHandle BEHIND_OTHERS;
  private static final VarHandle INTERVAL_BEGIN;
  private static final VarHandle LONGEST;
  private static final VarHandle LONGEST_BEFORE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      VERSION = lookup.findVarHandle(WaitMeter.class, "version", long.class);
      SERVED = lookup.findVarHandle(WaitMeter.class, "served", long.class);
      WAITS = lookup.findVarHandle(WaitMeter.class, "waits", long.class);
      WAITED = lookup.findVarHandle(WaitMeter.class, "waited", long.class);
      BEHIND_OTHERS = lookup.findVarHandle(WaitMeter.class, "behindOthers", long.class);
      INTERVAL_BEGIN = lookup.findVarHandle(WaitMeter.class, "intervalBegin", long.class);
      LONGEST = lookup.findVarHandle(WaitMeter.class, "longest", long.class);
      LONGEST_BEFORE = lookup.findVarHandle(WaitMeter.class, "longestBefore", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int tenant;
  private final HeavyHitters aggressors = new HeavyHitters();

  // Written by one thread, through the handles: a volatile write would cost more.
  private volatile long version;
  private volatile long served;
  private volatile long waits;
  private volatile long waited;
  private volatile long behindOthers;
  private volatile long intervalBegin;
  private volatile long longest;
  private volatile long longestBefore;

  WaitMeter(int tenant) {
    this.tenant = tenant;
  }

  int tenant() {
    return tenant;
  }

  // ---- the thread that writes

  /** Sets how long the tenant was served since the beginning. */
  void served(long nanos) {
    SERVED.setOpaque(this, nanos);
  }

  /** Begins a change. */
  void begin() {
    VERSION.setOpaque(this, version + 1);
    VarHandle.storeStoreFence();
  }

  /** Adds a wait that is over now. Within a change. */
  void waited(long nanos, long ofThatBehindOthers, long nowNanos) {
    long count = waits + 1;
    WAITS.setOpaque(this, count);
    WAITED.setOpaque(this, waited + nanos);
    BEHIND_OTHERS.setOpaque(this, behindOthers + ofThatBehindOthers);
    long age = nowNanos - intervalBegin;
    if (age >= INTERVAL_NANOS || count == 1) {
      LONGEST_BEFORE.setOpaque(this, age < 2 * INTERVAL_NANOS ? longest : 0);
      LONGEST.setOpaque(this, nanos);
      INTERVAL_BEGIN.setOpaque(this, nowNanos);
    } else if (nanos > longest) {
      LONGEST.setOpaque(this, nanos);
    }
  }

  /** Returns the tenants in whose favour it waited. Called within a change. */
  HeavyHitters aggressors() {
    return aggressors;
  }

  /** Ends a change. */
  void end() {
    VERSION.setRelease(this, version + 1);
  }

  // ---- any thread

  Waits reading(long nowNanos) {
    while (true) {
      long before = version;
      if ((before & 1) == 0) {
        Waits reading = read(nowNanos);
        VarHandle.acquireFence();
        if (version == before) {
          return reading;
        }
      }
      LockSupport.parkNanos(1_000); // the writer may be off its processor
    }
  }

  private Waits read(long nowNanos) {
    long age = nowNanos - intervalBegin;
    long present = age < 2 * INTERVAL_NANOS ? longest : 0;
    long past = age < INTERVAL_NANOS ? longestBefore : 0;
    List<Waits.Aggressor> most = aggressors.toList();
    most.sort(Comparator.comparingLong(Waits.Aggressor::nanos).reversed());
    return new Waits(tenant, served, waits, waited, behindOthers, Math.max(present, past), most);
  }
}
