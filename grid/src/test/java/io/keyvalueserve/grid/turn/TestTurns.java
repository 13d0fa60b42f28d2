package io.keyvalueserve.grid.turn;

import io.keyvalueserve.gates.fairness.WaitMeters;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/** A thread that reads, without a network: the test says when it does what. */
public final class TestTurns implements ThreadTurns.Loop {
  private static final int SORTS = 3;

  public final WaitMeters meters = new WaitMeters();
  public final ThreadTurns turns;
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final Runnable look;

  /**
   * @param look reads what has come for the connections
   */
  public TestTurns(LongSupplier nanoTime, IntUnaryOperator weights, Runnable look) {
    this.turns = new ThreadTurns(this, SORTS, ReadingTurns.SLICING, weights, meters, nanoTime);
    this.look = look;
  }

  /** Turns of a thread on which nobody waits. */
  public static ThreadTurns none() {
    return new ThreadTurns(
        null, SORTS, ReadingTurns.SLICING, tenant -> 1, new WaitMeters(), System::nanoTime);
  }

  @Override
  public void addTask(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void look() {
    look.run();
  }

  /** Runs the oldest task. Returns whether there was one. */
  public boolean runNext() {
    Runnable task = tasks.poll();
    if (task != null) {
      task.run();
    }
    return task != null;
  }

  /** How many tasks wait to be run. */
  public int tasks() {
    return tasks.size();
  }
}
