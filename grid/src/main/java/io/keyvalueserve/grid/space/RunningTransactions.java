package io.keyvalueserve.grid.space;

import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.engine.TransactionOrigin;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions that lock keys and that this member coordinates: what they are for, and how to
 * end one whose lock is forced off. Only the coordinator can end a transaction at once, because it
 * alone knows whether the transaction is being decided. Thread-safe.
 */
public final class RunningTransactions {
  private static final Logger LOG = LoggerFactory.getLogger(RunningTransactions.class);

  private final ConcurrentHashMap<TransactionId, Running> running = new ConcurrentHashMap<>();

  /**
   * The user of a transaction.
   *
   * @param origin what it is for
   * @param tenant the number of the tenant that runs it; 0 if the owner of its maps does
   */
  public record Use(TransactionOrigin origin, int tenant) {}

  private enum State {
    /** It may be ended. */
    OPEN,
    /** It is being decided, or was. */
    DECIDING,
    /** A lock was forced off before it was decided. */
    FORCED_OFF
  }

  /** A transaction from its first lock until its locks are off. */
  final class Running {
    private final TransactionId id;
    private final Use use;
    private final Runnable unlock;
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final CompletableFuture<@Nullable TransactionEnd> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> wantedOff = new CompletableFuture<>();

    private Running(TransactionId id, Use use, Runnable unlock) {
      this.id = id;
      this.use = use;
      this.unlock = unlock;
    }

    /**
     * Begins to decide. From now on nobody ends it but by the record of its decision.
     *
     * @throws EngineException if a lock was forced off
     */
    void decide() {
      if (!state.compareAndSet(State.OPEN, State.DECIDING)) {
        throw forcedOff();
      }
    }

    /**
     * Lets a transaction pass whose locks nobody has forced off.
     *
     * @throws EngineException if a lock was forced off, and nothing was changed
     */
    void requireLocks() {
      if (wantedOff.isDone()) {
        throw forcedOff();
      }
    }

    /**
     * Waits until keys are locked, but no longer than until a lock is forced off.
     *
     * @param locked completes when they are
     * @param undo unlocks them, if they are locked in spite of that
     * @throws EngineException if a lock was forced off
     */
    <T extends @Nullable Object> T await(CompletableFuture<T> locked, Runnable undo) {
      var _ = CompletableFuture.anyOf(locked, wantedOff).join();
      if (!locked.isDone()) {
        var _ = locked.thenAccept(any -> undo.run());
        throw forcedOff();
      }
      return locked.join();
    }

    /**
     * Notes that the coordinator is done with the transaction.
     *
     * @param how null if that is not known
     */
    void end(@Nullable TransactionEnd how) {
      boolean _ = running.remove(id, this);
      boolean _ = ended.complete(how);
    }

    private @Nullable TransactionEnd force(Duration patience) {
      boolean _ = wantedOff.complete(null);
      if (state.compareAndSet(State.OPEN, State.FORCED_OFF)) {
        try {
          unlock.run();
        } catch (RuntimeException e) {
          LOG.debug("keys of a transaction are unlocked later", e); // its own thread does it too
        }
        return TransactionEnd.ABORTED;
      }
      if (state.get() == State.FORCED_OFF) {
        return TransactionEnd.ABORTED;
      }
      try {
        return ended.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return null;
      } catch (ExecutionException | TimeoutException e) {
        return null;
      }
    }
  }

  private static EngineException forcedOff() {
    return new EngineException(
        new Outcome.Failure(
            Kind.FORCED_OFF,
            "a lock of the transaction was forced off, by the owner of the map or an operator;"
                + " nothing was changed; send it again"));
  }

  /**
   * Notes a transaction that is about to lock keys.
   *
   * @param unlock unlocks its keys; on any thread
   */
  Running begin(TransactionId id, Use use, Runnable unlock) {
    Running begun = new Running(id, use, unlock);
    running.put(id, begun);
    return begun;
  }

  /**
   * Returns the user of a transaction; null if this member does not coordinate it.
   *
   * @param id as a lock names it
   */
  public @Nullable Use use(String id) {
    Running found = running.get(TransactionId.parse(id));
    return found == null ? null : found.use;
  }

  /**
   * Waits until the transactions have ended that are being decided now. Blocks.
   *
   * @return whether they have ended in time
   */
  public boolean awaitDecided(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    for (Running each : running.values()) {
      if (each.state.get() == State.DECIDING) {
        try {
          var _ = each.ended.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return false;
        } catch (ExecutionException | TimeoutException e) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Ends a transaction whose lock is forced off: at once, or when what is decided is done. Its keys
   * are unlocked then. Blocks.
   *
   * @param id as a lock names it
   * @param patience how long to wait for one that is being decided
   * @return null if this member does not coordinate it, or it has not ended in time
   */
  public @Nullable TransactionEnd force(String id, Duration patience) {
    Running found = running.get(TransactionId.parse(id));
    return found == null ? null : found.force(patience);
  }
}
