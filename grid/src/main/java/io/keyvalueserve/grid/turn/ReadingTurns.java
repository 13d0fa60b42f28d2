package io.keyvalueserve.grid.turn;

import com.hazelcast.internal.networking.nio.NioThread;
import com.hazelcast.internal.networking.nio.ReadingLoop;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.fairness.WaitMeters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntUnaryOperator;

/**
 * Has the threads of a member that read clients' connections serve tenants in turn. Thread-safe.
 */
public final class ReadingTurns {
  /**
   * Shorter than on event loops: requests that are answered where they are read take less than a
   * microsecond, and who has few on their way has nothing to do between visits that are far apart.
   */
  static final Slicing SLICING = new Slicing(60_000, 50_000, 10_000, 100_000_000);

  private final IntUnaryOperator weights;
  private final WaitMeters meters;
  private final List<ThreadTurns> threads = new CopyOnWriteArrayList<>();

  /**
   * @param weights of tenants by their numbers
   * @param meters take what tenants wait
   */
  ReadingTurns(IntUnaryOperator weights, WaitMeters meters) {
    this.weights = weights;
    this.meters = meters;
  }

  /**
   * The turns of the calling thread. To be called once by each; on one that is none of Hazelcast's
   * for connections nobody waits.
   *
   * @param sorts how many sorts of work are told apart
   */
  public ThreadTurns begin(int sorts) {
    ThreadTurns.Loop loop =
        Thread.currentThread() instanceof NioThread thread ? new ReadingLoop(thread) : null;
    ThreadTurns turns = new ThreadTurns(loop, sorts, SLICING, weights, meters, System::nanoTime);
    threads.add(turns);
    return turns;
  }

  /** Drops the accounts of a tenant that was deleted. */
  void forget(int tenant) {
    threads.forEach(turns -> turns.forget(tenant));
  }
}
