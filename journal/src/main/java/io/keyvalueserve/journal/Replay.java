package io.keyvalueserve.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads a log from front to back and gives its records to a sink. Readers run ahead: each takes the
 * next unit of a chunk, reads it, checks its frames and sorts them by partition. Loaders follow:
 * each goes through all units in order and applies the frames of its partitions, so that for every
 * partition one thread at a time applies what it has, in the order it was appended.
 *
 * <p>A unit is a few blocks. Frames do not cross blocks, so units have nothing to do with each
 * other, and can be read and checked in any order.
 */
final class Replay {
  private static final int UNIT_BYTES = 2 << 20;
  private static final int UNITS_PER_READER = 3;
  private static final long PROGRESS_NANOS = 100_000_000;

  private final Disk disk;
  private final JournalClock clock;
  private final RecoverySink sink;
  private final LoaderState state;
  private final int readers;
  private final List<Loader> loaders = new ArrayList<>();
  private final List<ReplayUnit> slots;
  private final List<ReplayUnit.Task> tasks = new ArrayList<>();
  private final List<Damage> damage = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger nextTask = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong reported = new AtomicLong();
  private final long totalBytes;
  private final long begun;
  private final Ending ending = new Ending();

  /**
   * A replay of chunks.
   *
   * @param state says what is to be read; for keys a chunk's index is read in the place of its
   *     frames where there is one
   */
  Replay(
      Disk disk,
      List<ChunkPlan> plans,
      JournalConfig config,
      JournalClock clock,
      RecoverySink sink,
      LoaderState state) {
    this.disk = disk;
    this.clock = clock;
    this.sink = sink;
    this.state = state;
    this.readers = config.readers();
    begun = clock.nanoTime();
    for (ChunkPlan plan : plans) {
      addTasks(plan, state.what() == LoaderState.What.KEYS);
    }
    totalBytes = tasks.stream().mapToLong(ReplayUnit.Task::bytes).sum();
    int loaderCount = readers == 0 ? 1 : config.loaders();
    for (int i = 0; i < loaderCount; i++) {
      loaders.add(new Loader(i, sink, state));
    }
    int largest = tasks.stream().mapToInt(ReplayUnit.Task::memoryBytes).max().orElse(0);
    int units = Math.max(1, readers * UNITS_PER_READER);
    slots = Ending.makeAll(units, i -> new ReplayUnit(largest, loaderCount));
  }

  private void addTasks(ChunkPlan plan, boolean keysOnly) {
    if (keysOnly && plan.trailer().map(ChunkTrailer::hasIndex).orElse(false)) {
      tasks.add(ReplayUnit.Task.index(plan, plan.trailer().orElseThrow()));
      return;
    }
    int unit = Math.max(UNIT_BYTES, plan.blockBytes());
    for (long at = 0; at < plan.end(); at += unit) {
      tasks.add(ReplayUnit.Task.frames(plan, at, (int) Math.min(unit, plan.end() - at)));
    }
  }

  /** Reads all; what was not as it was written is in {@link #damage} then. */
  void run() throws IOException {
    try {
      if (readers == 0) {
        runHere();
      } else {
        runThreads();
      }
      report();
    } catch (IOException | RuntimeException | Error e) {
      ending.add(e);
    }
    slots.forEach(slot -> ending.step(slot::close));
    ending.end();
  }

  private void runHere() throws IOException {
    for (ReplayUnit.Task task : tasks) {
      ReplayUnit unit = slots.get(0);
      load(unit, task);
      loaders.get(0).apply(unit);
      reportSometimes();
    }
  }

  private void runThreads() {
    List<Thread> threads = new ArrayList<>();
    try {
      for (int i = 0; i < readers; i++) {
        threads.add(Thread.ofPlatform().name("kvs-journal-read-" + i).start(guarded(this::read)));
      }
      for (Loader loader : loaders) {
        threads.add(
            Thread.ofPlatform()
                .name("kvs-journal-load-" + loader.index())
                .start(guarded(() -> load(loader))));
      }
    } catch (RuntimeException | Error e) { // no more threads to be had: those there are must end
      fail(e);
    }
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true; // recovery ends whole or fails
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Something that may fail. */
  private interface Work {
    void run() throws Exception;
  }

  private Runnable guarded(Work work) {
    return () -> {
      try {
        work.run();
      } catch (Throwable e) {
        fail(e);
      }
    };
  }

  private synchronized void fail(Throwable e) {
    ending.add(e);
    slots.forEach(ReplayUnit::abort);
  }

  private void read() throws Exception {
    for (int i = nextTask.getAndIncrement(); i < tasks.size(); i = nextTask.getAndIncrement()) {
      ReplayUnit unit = slots.get(i % slots.size());
      if (!unit.awaitFree(i / slots.size())) {
        return;
      }
      load(unit, tasks.get(i));
      unit.loaded(loaders.size());
      reportSometimes();
    }
  }

  private void load(ReplayUnit unit, ReplayUnit.Task task) throws IOException {
    damage.addAll(unit.load(disk, task));
    unit.sort(state::wants);
    bytes.addAndGet(task.bytes());
  }

  private void load(Loader loader) throws Exception {
    for (int i = 0; i < tasks.size(); i++) {
      ReplayUnit unit = slots.get(i % slots.size());
      if (!unit.awaitLoaded(i / slots.size())) {
        return;
      }
      loader.apply(unit);
      unit.applied();
    }
  }

  private void reportSometimes() {
    long now = clock.nanoTime();
    long last = reported.get();
    if (now - begun - last >= PROGRESS_NANOS && reported.compareAndSet(last, now - begun)) {
      report();
    }
  }

  private void report() {
    sink.progress(
        new RecoveryProgress(bytes.get(), totalBytes, records(), clock.nanoTime() - begun));
  }

  long records() {
    return loaders.stream().mapToLong(Loader::records).sum();
  }

  long bytes() {
    return bytes.get();
  }

  long nanos() {
    return clock.nanoTime() - begun;
  }

  /** What was found, in the order of files and offsets. */
  List<Damage> damage() {
    List<Damage> all = new ArrayList<>(damage);
    loaders.forEach(loader -> all.addAll(loader.damage()));
    return all;
  }
}
