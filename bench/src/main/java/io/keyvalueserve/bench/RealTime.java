package io.keyvalueserve.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.FutureTask;

/**
 * Gives a thread that measures its core whenever it wants it: SCHED_FIFO, priority 1, of Linux'
 * sched(7). Without, it waits for whatever else the machine runs there, up to some milliseconds at
 * a time, and takes that for the server's. Needs root or CAP_SYS_NICE.
 */
@SuppressWarnings("restricted") // FFM: the bench is started with native access
final class RealTime {
  private static final int FIFO = 1;
  private static final int LOWEST = 1;
  private static final int THIS_THREAD = 0;

  private RealTime() {}

  /** Whether this process may. */
  static boolean isAllowed() {
    FutureTask<Boolean> attempt = new FutureTask<>(RealTime::enter);
    Thread.ofPlatform().name("real-time").start(attempt); // one that ends, as it does not go back
    try {
      return attempt.get();
    } catch (java.util.concurrent.ExecutionException e) {
      throw new BenchException("the scheduling of a thread cannot be changed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    }
  }

  /**
   * Has the calling thread, which is a platform thread, run before all usual ones from now on.
   *
   * @return false if the system has no such thing or does not allow it: nothing has changed then
   */
  static boolean enter() {
    Linker linker = Linker.nativeLinker();
    return linker.defaultLookup().find("sched_setscheduler").map(RealTime::enter).orElse(false);
  }

  private static boolean enter(MemorySegment function) {
    MethodHandle set =
        Linker.nativeLinker()
            .downcallHandle(
                function,
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment priority = arena.allocateFrom(ValueLayout.JAVA_INT, LOWEST); // sched_param
      return (int) set.invokeExact(THIS_THREAD, FIFO, priority) == 0;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("sched_setscheduler cannot be called", e);
    }
  }
}
