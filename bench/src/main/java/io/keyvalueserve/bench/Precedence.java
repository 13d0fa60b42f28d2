package io.keyvalueserve.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Gives a thread that measures its core as soon as it wants it, by Linux' sched_setattr(2): the
 * greatest weight, and slices so short (EEVDF, Linux 6.12 or later) that whoever runs is made to
 * stop. Without, it waits for whatever else the machine runs there, some milliseconds at a time,
 * and takes that for the server's. Needs root or CAP_SYS_NICE.
 *
 * <p>Not SCHED_FIFO: a thread of a JVM may spin until another one of that JVM has done something,
 * and would then keep the core from that one, for 950 ms (seen; sched_rt_runtime_us).
 */
@SuppressWarnings("restricted") // FFM: the bench is started with native access
final class Precedence {
  private static final int SIZE = 48; // of the first version of sched_attr
  private static final int NICE_AT = 16;
  private static final int RUNTIME_AT = 24;
  private static final int NICEST = -20;
  private static final long SHORTEST_SLICE_NANOS = 100_000;

  private Precedence() {}

  /** Whether this process may. */
  static boolean isAllowed() {
    FutureTask<Boolean> attempt = new FutureTask<>(Precedence::take);
    Thread.ofPlatform().name("precedence").start(attempt); // one that ends, as it does not go back
    try {
      return attempt.get();
    } catch (ExecutionException e) {
      throw new BenchException("the scheduling of a thread cannot be changed", e);
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
  }

  /**
   * Has the calling thread, which is a platform thread, run before all usual ones from now on.
   *
   * @return false if the system has no such thing or does not allow it: nothing has changed then
   */
  static boolean take() {
    long number = number(System.getProperty("os.arch"));
    return number > 0
        && System.getProperty("os.name").equals("Linux")
        && Linker.nativeLinker()
            .defaultLookup()
            .find("syscall")
            .map(function -> take(function, number))
            .orElse(false);
  }

  /** The number of the system call; 0 where it is not known. */
  private static long number(String architecture) {
    return switch (architecture) {
      case "amd64" -> 314;
      case "aarch64" -> 274;
      default -> 0;
    };
  }

  private static boolean take(MemorySegment function, long number) {
    MethodHandle call =
        Linker.nativeLinker()
            .downcallHandle(
                function,
                FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT),
                Linker.Option.firstVariadicArg(1));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attributes = arena.allocate(SIZE, Long.BYTES); // all else 0: SCHED_OTHER
      attributes.set(ValueLayout.JAVA_INT, 0, SIZE);
      attributes.set(ValueLayout.JAVA_INT, NICE_AT, NICEST);
      attributes.set(ValueLayout.JAVA_LONG, RUNTIME_AT, SHORTEST_SLICE_NANOS);
      return (long) call.invokeExact(number, 0, attributes, 0) == 0; // of the calling thread
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("sched_setattr cannot be called", e);
    }
  }
}
