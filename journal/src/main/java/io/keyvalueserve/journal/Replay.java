package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log from front to back and gives its records to a sink. Readers run ahead: each takes the
 * next unit of a chunk and reads it, and does nothing else, so that the disk has something to do.
 * Loaders follow: each goes through all units in order and applies the frames of its partitions, so
 * that for every partition one thread at a time applies what it has, in the order it was appended.
 * The first loader that comes to a unit checks its frames and sorts them by partition; one that
 * comes meanwhile checks the next unit. So what is checked is not far ahead of what is applied, and
 * still in the processor's cache.
 *
 * <p>A unit is a few blocks. Frames do not cross blocks, so units have nothing to do with each
 * other, and can be read and checked in any order. How far readers run ahead is bounded by the
 * memory of all units together.
 */
final class Replay {
  private static final int UNIT_BYTES = 2 << 20;
  private static final int RING_BYTES = 32 << 20;
  private static final long PROGRESS_NANOS = 100_000_000;

  private final Disk disk;
  private final JournalClock clock;
  private final RecoverySink sink;
  private final LoaderState state;
  private final boolean holds;
  private final AtomicLong heldRoom;
  private final int readers;
  private final List<Loader> loaders = new ArrayList<>();
  private final List<ReplayUnit> slots;
  private final List<ReplayUnit.Task> tasks = new ArrayList<>();
  private final AtomicReferenceArray<@Nullable HeldPart> held; // by task
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
   * @param holds whether what was read is kept for {@link #held}
   * @param mostHeldBytes how much memory may be kept for what need not be in memory
   */
  Replay(
      Disk disk,
      List<ChunkPlan> plans,
      JournalConfig config,
      JournalClock clock,
      RecoverySink sink,
      LoaderState state,
      boolean holds,
      long mostHeldBytes) {
    this.heldRoom = new AtomicLong(mostHeldBytes);
    this.disk = disk;
    this.holds = holds;
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
    held = new AtomicReferenceArray<>(holds ? tasks.size() : 0);
    int largest = tasks.stream().mapToInt(ReplayUnit.Task::memoryBytes).max().orElse(0);
    slots = Ending.makeAll(units(), i -> new ReplayUnit(largest, loaderCount));
  }

  /**
   * Returns the number of units: as many as the ring's memory allows, but at least enough for all
   * threads to work.
   */
  private int units() {
    if (readers == 0) {
      return 1;
    }
    int largest = Math.max(1, tasks.stream().mapToInt(ReplayUnit.Task::wholeBytes).max().orElse(1));
    int least = readers + loaders.size();
    return Math.max(least, Math.min(tasks.size(), RING_BYTES / largest));
  }

  private void addTasks(ChunkPlan plan, boolean keysOnly) {
    if (keysOnly && plan.trailer().map(ChunkTrailer::hasIndex).orElse(false)) {
      ChunkTrailer trailer = plan.trailer().orElseThrow();
      tasks.add(
          holds && trailer.hasDirectory()
              ? ReplayUnit.Task.directory(plan, trailer)
              : ReplayUnit.Task.index(plan, trailer));
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
    if (ending.hasFailed()) {
      heldParts().forEach(part -> ending.step(part::close));
    }
    ending.end();
  }

  private List<HeldPart> heldParts() {
    List<HeldPart> parts = new ArrayList<>();
    for (int i = 0; i < held.length(); i++) {
      HeldPart part = held.get(i);
      if (part != null) {
        parts.add(part);
      }
    }
    return parts;
  }

  /**
   * Returns the keys that were kept back by a replay that has run, to be closed by the caller, or
   * null if none were to be.
   */
  @Nullable HeldKeys held() {
    if (!holds) {
      return null;
    }
    HeldTally all = new HeldTally();
    loaders.forEach(loader -> all.addAll(loader.held()));
    return new HeldKeys(heldParts(), state.ofHeld(), all.maps());
  }

  /** The partitions of which records were kept back that are in files of their own. */
  BitSet heldWithBlobs() {
    HeldTally all = new HeldTally();
    loaders.forEach(loader -> all.addAll(loader.held()));
    return all.withBlobs();
  }

  private void runHere() throws IOException {
    ReplayUnit unit = slots.get(0);
    try (Source source = new Source()) {
      for (int i = 0; i < tasks.size(); i++) {
        unit.read(source.of(tasks.get(i)), tasks.get(i), state);
        check(i, unit, loaders.get(0));
        loaders.get(0).apply(unit);
        reportSometimes();
      }
    }
  }

  /** The file that one thread reads: most often a task's is that of the one before. */
  private final class Source implements Closeable {
    private @Nullable ChunkFile file;
    private long chunk;

    ChunkFile of(ReplayUnit.Task task) throws IOException {
      ChunkFile open = file;
      if (open == null || chunk != task.plan().chunk()) {
        close();
        chunk = task.plan().chunk();
        open = ChunkFile.open(disk, chunk);
        file = open;
      }
      return open;
    }

    @Override
    public void close() throws IOException {
      ChunkFile open = file;
      if (open != null) {
        file = null;
        open.close();
      }
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
    try (Source source = new Source()) {
      for (int i = nextTask.getAndIncrement(); i < tasks.size(); i = nextTask.getAndIncrement()) {
        ReplayUnit unit = unit(i);
        if (!unit.awaitFree(round(i))) {
          return;
        }
        unit.read(source.of(tasks.get(i)), tasks.get(i), state);
        unit.read();
      }
    }
  }

  private ReplayUnit unit(int task) {
    return slots.get(task % slots.size());
  }

  private int round(int task) {
    return task / slots.size();
  }

  private void check(int task, ReplayUnit unit, Loader loader) throws IOException {
    int read = unit.task().bytes();
    damage.addAll(unit.check(disk));
    unit.sort(state::wants);
    if (holds) {
      HeldIndex index = unit.takeHeld(heldRoom);
      held.set(task, index != null ? index : HeldUnit.of(unit));
      if (index != null) {
        index.count(loader);
      }
    }
    bytes.addAndGet(read);
  }

  private void load(Loader loader) throws Exception {
    for (int i = 0; i < tasks.size(); i++) {
      if (!awaitChecked(i, loader)) {
        return;
      }
      loader.apply(unit(i));
      unit(i).applied();
      reportSometimes();
    }
  }

  /** Sees to it that a unit is checked; returns false if the replay was given up. */
  private boolean awaitChecked(int task, Loader loader) throws Exception {
    ReplayUnit.Turn turn = unit(task).awaitRead(round(task));
    if (turn == ReplayUnit.Turn.WAIT) {
      checkAhead(task, loader);
      turn = unit(task).awaitChecked(round(task));
    }
    if (turn == ReplayUnit.Turn.CHECK) {
      checkClaimed(task, loader);
      return true;
    }
    return turn == ReplayUnit.Turn.APPLY;
  }

  /**
   * Another loader is at it: the next unit that is read and that nobody checks, if there is one.
   */
  private void checkAhead(int task, Loader loader) throws IOException {
    int end = Math.min(tasks.size(), task + Math.min(loaders.size(), slots.size()));
    for (int next = task + 1; next < end; next++) {
      if (unit(next).tryClaim(round(next))) {
        checkClaimed(next, loader);
        return;
      }
    }
  }

  private void checkClaimed(int task, Loader loader) throws IOException {
    check(task, unit(task), loader);
    unit(task).checked(loaders.size());
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

  /** Returns the damage, in the order of files and offsets. */
  List<Damage> damage() {
    List<Damage> all = new ArrayList<>(damage);
    loaders.forEach(loader -> all.addAll(loader.damage()));
    return all;
  }
}
