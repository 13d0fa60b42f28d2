package io.keyvalueserve.maps;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Goal: a counter that this lock guards is linearizable, so that never two are in, what one wrote
 * the next one sees, and nobody who waits is forgotten. Method: Lincheck in stress mode; it takes
 * an operation that does not end for a failure.
 *
 * <p>The counter is a plain field. One thread waits for its turn, as a partition's own does; the
 * others try until they succeed, and stay in for longer than the first one spins, so that it parks
 * and has the lock handed over.
 */
public class PartitionLockLincheckTest {
  private static final int STAY = 2_000; // turns; who waits parks after 200

  /** Many more scenarios, with {@code -Dkvs.test.long=on}. */
  private static final boolean LONG = System.getProperty("kvs.test.long", "off").equals("on");

  private final PartitionLock lock = new PartitionLock();
  private int counter;

  @Test
  void guardsACounter() {
    new StressOptions()
        .iterations(LONG ? 50 : 5)
        .invocationsPerIteration(LONG ? 1_000 : 300)
        .threads(3)
        .actorsBefore(1)
        .actorsPerThread(3)
        .actorsAfter(1)
        .sequentialSpecification(Counter.class)
        .minimizeFailedScenario(false)
        .check(PartitionLockLincheckTest.class);
  }

  @Operation(nonParallelGroup = "the partition's thread")
  public int waitAndCount() {
    lock.enter();
    try {
      return counter++;
    } finally {
      lock.exit();
    }
  }

  @Operation(nonParallelGroup = "the partition's thread")
  public int waitAndCountTwice() {
    lock.enter();
    try {
      waitAndCount();
      return waitAndCount();
    } finally {
      lock.exit();
    }
  }

  @Operation
  public int tryAndCount() {
    while (!lock.tryEnter()) {
      Thread.onSpinWait();
    }
    try {
      int seen = counter;
      for (int i = 0; i < STAY; i++) {
        Thread.onSpinWait();
      }
      counter = seen + 1;
      return seen;
    } finally {
      lock.exit();
    }
  }

  @Operation
  public boolean isHeldByWhoIsNotIn() {
    return lock.isHeld();
  }

  /** What a counter should be. */
  public static final class Counter {
    private int counter;

    public int waitAndCount() {
      return counter++;
    }

    public int waitAndCountTwice() {
      counter++;
      return counter++;
    }

    public int tryAndCount() {
      return counter++;
    }

    public boolean isHeldByWhoIsNotIn() {
      return false;
    }
  }
}
