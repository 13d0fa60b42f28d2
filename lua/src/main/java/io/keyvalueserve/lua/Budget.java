package io.keyvalueserve.lua;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The bounds of one run, and what is used of them.
 *
 * <ul>
 *   <li>Steps are counted exactly: one for each instruction, and more for bulk work of libraries
 *       (one for each step of a pattern, and for every 16 bytes or few elements handled).
 *   <li>Memory is counted when it is allocated. If the sum would pass the bound, the values that
 *       are alive are traced and counted anew. The run ends if they fill more than 15/16 of the
 *       bound. Charges are at least what values take of the Java heap: a slot is charged as if it
 *       held a number of its own. Not counted are the Java text of an error message while it is
 *       made, and at most one result of a callback while a library uses it.
 *   <li>Time and {@link #kill} are checked every 1000 steps or so.
 * </ul>
 *
 * <p>Used by the thread of the run only, but for {@link #kill}. A budget is for one run.
 */
public final class Budget {
  private static final int SLICE = 1024;

  private final long memoryBound;
  private final long deadline;
  private final int maxDepth;
  private final int maxCoroutines;
  private final long allSteps;

  /** Steps that were not handed to {@link #fuel} yet. */
  private long stepsLeft;

  /** Steps that may be taken before the next check. */
  long fuel;

  private long used;

  /** The part of the used bytes that only Java code holds, as buffers of libraries. */
  private long held;

  private int coroutines;
  private int ids;
  private volatile boolean killed;
  private LongSupplier tracer = () -> 0;

  /**
   * Makes a budget. The time begins now.
   *
   * @param steps instructions and the like
   * @param memoryBytes bytes of values
   * @param time time on the clock
   * @param depth calls of Lua functions inside each other, in one coroutine
   * @param coroutines coroutines that are created in all
   */
  public Budget(long steps, long memoryBytes, Duration time, int depth, int coroutines) {
    this.allSteps = steps;
    this.stepsLeft = steps;
    this.memoryBound = memoryBytes;
    this.deadline = System.nanoTime() + time.toNanos();
    this.maxDepth = depth;
    this.maxCoroutines = coroutines;
  }

  /** Ends the run soon, from any thread. */
  public void kill() {
    killed = true;
  }

  /** Returns the steps taken so far. */
  public long steps() {
    return allSteps - stepsLeft - fuel;
  }

  /** Returns the bytes counted: those alive at the last trace, and all allocated since. */
  public long bytes() {
    return used;
  }

  /**
   * Counts steps.
   *
   * @throws BudgetExceeded if there are not as many, time is up, or the run was killed
   */
  public void step(long steps) {
    fuel -= steps;
    if (fuel < 0) {
      refill();
    }
  }

  /** Counts the steps for bytes that are copied or compared. */
  void bulk(long bytes) {
    step(bytes >> 4);
  }

  /** Hands out further steps, after {@link #fuel} fell below 0. */
  void refill() {
    if (killed) {
      throw new BudgetExceeded(BudgetExceeded.Bound.KILLED);
    }
    if (stepsLeft + fuel < 0) {
      throw new BudgetExceeded(BudgetExceeded.Bound.STEPS);
    }
    if (System.nanoTime() - deadline > 0) {
      throw new BudgetExceeded(BudgetExceeded.Bound.TIME);
    }
    long more = Math.min(stepsLeft, SLICE - fuel);
    stepsLeft -= more;
    fuel += more;
  }

  /**
   * Counts bytes that a library or the host allocates. They count as held until the function
   * returns.
   *
   * @throws BudgetExceeded if they do not fit
   */
  public void allocate(long bytes) {
    held += bytes;
    used += bytes;
    if (used > memoryBound) {
      trace(0);
    }
  }

  /** Counts bytes that an instruction allocates. They are in a register afterwards. */
  void allocateValue(long bytes) {
    used += bytes;
    if (used > memoryBound) {
      trace(bytes);
    }
  }

  /** Takes back bytes that certainly are garbage. */
  void free(long bytes) {
    used -= bytes;
  }

  private void trace(long justAllocated) {
    if (held + justAllocated > memoryBound) {
      throw new BudgetExceeded(BudgetExceeded.Bound.MEMORY);
    }
    used = tracer.getAsLong() + held + justAllocated;
    if (used > memoryBound - (memoryBound >> 4)) {
      throw new BudgetExceeded(BudgetExceeded.Bound.MEMORY);
    }
  }

  /** Returns the bytes of what is alive. */
  long alive() {
    return tracer.getAsLong() + held;
  }

  long held() {
    return held;
  }

  /** Restores the held bytes to what {@link #held} returned before a native function was called. */
  void held(long bytes) {
    held = bytes;
  }

  void traceWith(LongSupplier bytesAlive) {
    tracer = bytesAlive;
  }

  void checkDepth(int depth) {
    if (depth > maxDepth) {
      throw new BudgetExceeded(BudgetExceeded.Bound.DEPTH);
    }
  }

  void countCoroutine() {
    if (++coroutines > maxCoroutines) {
      throw new BudgetExceeded(BudgetExceeded.Bound.COROUTINES);
    }
  }

  /** Returns a number for a value that hashes by identity. Same in every run of a script. */
  int nextId() {
    return ++ids + 0x10000;
  }
}
