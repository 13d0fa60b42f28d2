package io.keyvalueserve.maps;

import com.hazelcast.map.impl.operation.BasePutOperation;
import com.hazelcast.map.impl.operation.BaseRemoveOperation;
import com.hazelcast.map.impl.operation.ClearOperation;
import com.hazelcast.map.impl.operation.EvictAllOperation;
import com.hazelcast.map.impl.operation.EvictOperation;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.operation.PutAllOperation;
import com.hazelcast.spi.impl.operationservice.MutatingOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.gates.admission.TenantHoldings;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes writes wait until memory has been reclaimed. While memory is tight, a tenant that uses too
 * much is held: its writes wait. A write that finds no memory waits, whichever tenant sent it. An
 * operation that has to wait is sent back before it has done anything, and Hazelcast retries it, as
 * if its partition were moving to another member. Thread-safe.
 */
public final class MemoryPressure {
  private static final long LOOK_AGAIN_NANOS = 1_000_000;

  private volatile boolean tight;
  private volatile boolean hopeless;
  private volatile Runnable waker = () -> {};
  private volatile boolean reclaiming;

  /** An operation that can tell that it may be sent again when a write of it found no memory. */
  public interface Repeatable {}

  /** Sets whether memory is nearly used up while more is being freed. */
  public void setTight(boolean now) {
    tight = now;
  }

  /** Nothing can be taken at present, or it can: until then writes fail that find no memory. */
  public void setHopeless(boolean now) {
    hopeless = now;
  }

  /** Waits until memory is not tight, or the thread is interrupted. For who brings much in. */
  public void await() {
    while (tight && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  /** Returns whether some thread reclaims memory when it is short. */
  boolean isReclaiming() {
    return reclaiming;
  }

  /**
   * Somebody takes memory from now on when it is short.
   *
   * @param wake called by any thread that finds no memory; does not block
   */
  public void begin(Runnable wake) {
    waker = wake;
    reclaiming = true;
  }

  /** Nobody takes memory any more. */
  public void end() {
    reclaiming = false;
    tight = false;
    waker = () -> {};
  }

  /**
   * A write found no memory, and is to be tried again if that helps.
   *
   * @throws MemoryShortException if so
   */
  void noMemory() {
    if (reclaiming && !hopeless) {
      waker.run();
      throw new MemoryShortException();
    }
  }

  /** Returns whether an operation that ends in the middle may run again from its beginning. */
  static boolean mayRepeat(Operation operation) {
    return operation instanceof Repeatable
        || operation instanceof BasePutOperation
        || operation instanceof PutAllOperation;
  }

  /**
   * Lets an operation begin.
   *
   * @throws MemoryShortException if it is to come again
   */
  void admit(Operation operation, Writers writers) {
    if (operation instanceof MutatingOperation
        && operation instanceof MapOperation map
        && !isGivingUp(operation)
        && map.getMapContainer() instanceof NativeMapContainer container) {
      TenantHoldings usage =
          container.chargesWriters() ? container.usageOf(writers.of(operation)) : container.usage();
      if (holds(container, usage)) {
        throw new MemoryShortException();
      }
    }
  }

  /**
   * Returns whether writes to a map have to wait.
   *
   * @param usage of the tenant that the write counts for; null if there is none
   */
  static boolean holds(NativeMapContainer container, @Nullable TenantHoldings usage) {
    return usage != null && (usage.isHeld() || (usage.mustWait() && container.isReclaimed()));
  }

  private static boolean isGivingUp(Operation operation) {
    return operation instanceof BaseRemoveOperation
        || operation instanceof EvictOperation
        || operation instanceof EvictAllOperation
        || operation instanceof ClearOperation;
  }
}
