package io.keyvalueserve.hazelcast;

import io.keyvalueserve.grid.turn.TestTurns;
import io.keyvalueserve.grid.turn.ThreadTurns;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A thread that reads connections of a test. One of several that share a processor. */
final class FakeThread {
  /** Which of them runs. */
  private final AtomicReference<FakeThread> running;

  private final @Nullable TestTurns test;
  final ReadingDesk desk;

  private FakeThread(
      AtomicReference<FakeThread> running, @Nullable TestTurns test, ThreadTurns turns) {
    this.running = running;
    this.test = test;
    this.desk = new ReadingDesk(turns);
  }

  /** One on which nobody waits. */
  static FakeThread alone() {
    return new FakeThread(new AtomicReference<>(), null, TestTurns.none());
  }

  /**
   * One that serves in turns.
   *
   * @param running is told which of several threads runs
   */
  static FakeThread of(
      AtomicReference<FakeThread> running,
      LongSupplier nanoTime,
      IntUnaryOperator weights,
      Runnable look) {
    TestTurns test = new TestTurns(nanoTime, weights, look);
    return new FakeThread(running, test, test.turns);
  }

  TestTurns turns() {
    if (test == null) {
      throw new IllegalStateException("nobody waits here");
    }
    return test;
  }

  /** The desk of the thread that runs. */
  ReadingDesk deskHere() {
    FakeThread here = running.get();
    return here == null ? desk : here.desk;
  }

  /** Whether it is this thread that runs. */
  boolean isRunning() {
    return this.equals(running.get());
  }

  /** From now on this thread runs. */
  void enter() {
    running.set(this);
  }

  /** Runs its oldest task. Returns whether there was one. */
  boolean runNext() {
    enter();
    return turns().runNext();
  }

  /** Runs tasks until there are none. */
  void runAll() {
    boolean ran = true;
    while (ran) {
      ran = runNext();
    }
  }
}
