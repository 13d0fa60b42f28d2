package io.keyvalueserve.memory;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Processors that some threads of this process have to themselves: those that {@link #take} one.
 * All other threads are kept off them, also those of the JVM itself, which compile and collect
 * garbage: a thread that is never idle waits for each of them that wakes up beside it until the
 * kernel's next tick, some milliseconds. Linux only. Thread-safe.
 *
 * <p>A thread that is made by one that has taken a processor begins on that, until the next of the
 * looks, which come every five seconds, moves it. Other processes are not kept off: that is for who
 * runs the machine ({@code cpuset}, {@code isolcpus}).
 */
public final class OwnProcessors implements AutoCloseable {
  private static final Path THREADS = Path.of("/proc/self/task");
  private static final Path CALLER = Path.of("/proc/thread-self");
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);
  private static final int MOST_LOOKS = 100;

  private final List<Integer> processors;
  private final BitSet own = new BitSet();
  private final BitSet others;
  private final BitSet before;
  private final Set<Integer> owners = new HashSet<>(); // with its lock
  private final ScheduledExecutorService timer;

  private OwnProcessors(List<Integer> processors, BitSet before) {
    this.processors = processors;
    processors.forEach(own::set);
    this.before = before;
    others = (BitSet) before.clone();
    others.andNot(own);
    timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("kvs-processors").daemon().factory());
  }

  /**
   * Moves all threads of this process off some processors.
   *
   * @param processors their numbers, from 0 on, none twice, not empty; the process need not have
   *     been started on them
   * @throws ProcessorsException if this is not Linux, the process may not use one of them, no other
   *     one would be left of those that the calling thread may run on, or the system does not allow
   *     it; nothing has changed then
   */
  public static OwnProcessors keep(List<Integer> processors) {
    return keep(processors, BETWEEN_LOOKS);
  }

  /** Does the same, but looks more or less often. */
  static OwnProcessors keep(List<Integer> processors, Duration betweenLooks) {
    if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).equals("linux")) {
      throw new ProcessorsException(
          "threads can be kept on processors on Linux only, this is "
              + System.getProperty("os.name")
              + "; leave it empty");
    }
    BitSet before = mask();
    try {
      processors.forEach(OwnProcessors::tryOut);
    } finally {
      moveCaller(before);
    }
    OwnProcessors kept = new OwnProcessors(List.copyOf(processors), before);
    if (kept.others.isEmpty()) {
      throw new ProcessorsException(
          "no processor would be left for all other threads, which this process has "
              + before
              + " for: leave out one of these at least");
    }
    try {
      kept.moveOthers();
    } catch (ProcessorsException e) {
      kept.close();
      throw e;
    }
    ScheduledFuture<?> _ =
        kept.timer.scheduleWithFixedDelay(
            kept::look, betweenLooks.toMillis(), betweenLooks.toMillis(), TimeUnit.MILLISECONDS);
    return kept;
  }

  private static BitSet mask() {
    try {
      return ThreadMask.of(ThreadMask.CALLER);
    } catch (LibC.Failure e) {
      throw new ProcessorsException(
          "the system does not tell which processors this process may use: " + e.getMessage(), e);
    }
  }

  /** A processor that the process was not started on may still be one that it may use. */
  private static void tryOut(int processor) {
    if (processor < 0 || processor >= ThreadMask.MOST_PROCESSORS) {
      throw new ProcessorsException(isNotThere(processor));
    }
    try {
      ThreadMask.set(ThreadMask.CALLER, only(processor));
    } catch (LibC.Failure e) {
      if (e.errno() == LibC.EINVAL) {
        throw new ProcessorsException(isNotThere(processor), e);
      }
      throw refusal(e);
    }
  }

  private static String isNotThere(int processor) {
    return "processor "
        + processor
        + " is not there, or none that this process may use (its cpuset): name others";
  }

  private static void moveCaller(BitSet processors) {
    try {
      ThreadMask.set(ThreadMask.CALLER, processors);
    } catch (LibC.Failure e) {
      throw refusal(e);
    }
  }

  private static BitSet only(int processor) {
    BitSet one = new BitSet();
    one.set(processor);
    return one;
  }

  /** Returns the number of processors. */
  public int count() {
    return processors.size();
  }

  /**
   * Has the calling thread, a platform thread, run on one of these and nowhere else from now on.
   *
   * @param index from 0 to {@link #count} - 1
   * @throws ProcessorsException if the system does not allow it
   */
  public void take(int index) {
    int thread = caller();
    synchronized (owners) { // or a look that does not know it yet moves it off again
      owners.add(thread);
      try {
        moveCaller(only(processors.get(index)));
      } catch (ProcessorsException e) {
        owners.remove(thread);
        throw e;
      }
    }
  }

  private static int caller() {
    try {
      return number(CALLER.toRealPath());
    } catch (IOException e) {
      throw new ProcessorsException("cannot read " + CALLER + ": is /proc mounted?", e);
    }
  }

  private static int number(Path thread) {
    return Integer.parseInt(thread.getFileName().toString());
  }

  private static void refused(LibC.Failure cause) {
    throw refusal(cause);
  }

  private static ProcessorsException refusal(LibC.Failure cause) {
    return new ProcessorsException(
        "the system does not let threads be kept on processors: "
            + cause.getMessage()
            + "; leave it empty, or allow sched_setaffinity where a container forbids it",
        cause);
  }

  /** Looks until all are where they should be: a thread that had not been moved may make others. */
  private void moveOthers() {
    untilNothingChanges(thread -> move(thread, OwnProcessors::refused));
  }

  private void look() {
    try {
      int _ = count(thread -> move(thread, OwnProcessors::staysWhereItIs));
    } catch (ProcessorsException e) {
      // Whoever is on one of these is in the way, and nothing worse.
    }
  }

  private static void untilNothingChanges(IntPredicate change) {
    for (int i = 0; i < MOST_LOOKS && count(change) > 0; i++) {
      Thread.onSpinWait();
    }
  }

  /** Changes the present threads, and returns the number of threads that were changed. */
  private static int count(IntPredicate change) {
    int changed = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path thread : threads) {
        if (change.test(number(thread))) {
          changed++;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      throw new ProcessorsException("cannot read " + THREADS + ": is /proc mounted?", e);
    }
    return changed;
  }

  private boolean move(int thread, Consumer<LibC.Failure> failed) {
    synchronized (owners) {
      return !owners.contains(thread) && moveOff(thread, failed);
    }
  }

  private boolean moveOff(int thread, Consumer<LibC.Failure> failed) {
    try {
      BitSet mask = ThreadMask.of(thread);
      if (!mask.intersects(own)) {
        return false;
      }
      mask.andNot(own);
      ThreadMask.set(thread, mask.isEmpty() ? others : mask);
      return true;
    } catch (LibC.Failure e) {
      if (e.errno() != LibC.ESRCH) { // else it has ended meanwhile
        failed.accept(e);
      }
      return false;
    }
  }

  /**
   * Ignores a failure: it was allowed before, and one thread that the kernel binds keeps no others
   * where they are.
   */
  private static void staysWhereItIs(LibC.Failure cause) {}

  /**
   * Lets all threads run on all processors again that the one that called {@link #keep} could run
   * on then.
   */
  @Override
  public void close() {
    timer.shutdownNow();
    try {
      untilNothingChanges(this::giveBack); // one that is not given back yet may make others
    } catch (ProcessorsException e) {
      // They stay where they are.
    }
  }

  private boolean giveBack(int thread) {
    try {
      if (ThreadMask.of(thread).equals(before)) {
        return false;
      }
      ThreadMask.set(thread, before);
      return true;
    } catch (LibC.Failure e) {
      return false; // it has ended by now, or stays where it is
    }
  }
}
