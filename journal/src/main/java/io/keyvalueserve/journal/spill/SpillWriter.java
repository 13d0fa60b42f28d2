package io.keyvalueserve.journal.spill;

import io.keyvalueserve.journal.AlignedMemory;
import io.keyvalueserve.journal.NoSpaceException;
import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Takes batches to the disk: gives each value a place, sorts by place, and writes what lies side by
 * side at once, up to 2 MiB. A block that has values already is written again with the same bytes
 * around the new ones; whoever reads one of them meanwhile reads the same whatever it meets.
 *
 * <p>For one thread at a time.
 */
final class SpillWriter implements AutoCloseable {
  private static final int STAGING_BYTES = 2 << 20;

  /** A value and its place. */
  private record Value(SpillBatch batch, int index, long place, boolean fresh) {
    long page() {
      return SpillHandle.page(place);
    }

    int length() {
      return batch.length(index);
    }

    long frameBytes() {
      return SpillFrame.bytes(length());
    }

    boolean hasSlot() {
      return frameBytes() <= SlotClass.MOST_BYTES;
    }
  }

  /** The pages of a run, or one block of slots, and the values that come there. */
  private record Job(List<Value> values) {
    Value first() {
      return values.getFirst();
    }

    long page() {
      return first().page();
    }

    int bytes() {
      int pages =
          first().hasSlot()
              ? SlotClass.blockPages(slotClass())
              : SpillSpace.pagesOf(first().frameBytes());
      return pages * SpillSpace.PAGE_BYTES;
    }

    int slotClass() {
      return SlotClass.numberFor(first().frameBytes());
    }

    /** Returns whether the block was empty. */
    boolean isFresh() {
      return values.stream().anyMatch(Value::fresh);
    }
  }

  private final SpillFiles files;
  private final SpillSpace space;
  private final AlignedMemory staging = AlignedMemory.allocate(STAGING_BYTES);
  private final AlignedMemory[] lastBlocks; // of each class the one that was written last
  private final long[] lastBlock = new long[SlotClass.count()]; // and where it is
  private final List<Job> staged = new ArrayList<>();
  private int stagedBytes;
  private int stamp;
  private @Nullable IOException noFile; // why this time no file can be added

  final LongAdder valuesWritten = new LongAdder();
  final LongAdder writes = new LongAdder();
  final LongAdder bytesWritten = new LongAdder();
  final LongAdder blocksReread = new LongAdder();

  SpillWriter(SpillFiles files, SpillSpace space) {
    this.files = files;
    this.space = space;
    lastBlocks = new AlignedMemory[SlotClass.count()];
    for (int i = 0; i < lastBlocks.length; i++) {
      int bytes = SlotClass.blockPages(i) * SpillSpace.PAGE_BYTES;
      lastBlocks[i] = AlignedMemory.allocate(bytes);
    }
    Arrays.fill(lastBlock, SpillSpace.NONE);
  }

  /** Writes all values, or tells their batches why not. */
  void write(List<SpillBatch> batches) {
    staged.clear();
    stagedBytes = 0;
    noFile = null;
    List<Value> values = new ArrayList<>();
    for (SpillBatch batch : batches) {
      for (int i = 0; i < batch.size(); i++) {
        place(batch, i, values);
      }
    }
    values.sort(Comparator.comparingLong(Value::page));
    for (int from = 0; from < values.size(); ) {
      int to = from + 1;
      while (to < values.size() && values.get(to).page() == values.get(from).page()) {
        to++;
      }
      append(new Job(values.subList(from, to)));
      from = to;
    }
    flush();
  }

  private void place(SpillBatch batch, int index, List<Value> values) {
    long frameBytes = SpillFrame.bytes(batch.length(index));
    try {
      long place = space.take(frameBytes);
      while (place == SpillSpace.NONE) {
        grow(frameBytes);
        place = space.take(frameBytes);
      }
      boolean fresh = (place & SpillSpace.FRESH) != 0;
      values.add(new Value(batch, index, place & ~SpillSpace.FRESH, fresh));
    } catch (IOException e) {
      batch.failed(e);
    }
  }

  /**
   * Adds a file; where that has failed once, a batch does not ask the disk again for each value.
   */
  private void grow(long frameBytes) throws IOException {
    if (noFile != null) {
      throw noFile;
    }
    try {
      files.grow(frameBytes);
    } catch (IOException e) {
      noFile = e;
      throw e;
    }
  }

  private void append(Job job) {
    if (!staged.isEmpty()
        && (stagedBytes + job.bytes() > STAGING_BYTES
            || job.page() != staged.getFirst().page() + stagedBytes / SpillSpace.PAGE_BYTES
            || !files.isSame(job.page(), staged.getFirst().page()))) {
      flush();
    }
    if (job.bytes() > STAGING_BYTES) {
      writeAlone(job);
      return;
    }
    try {
      prepare(job, stagedBytes);
    } catch (IOException e) {
      fail(job, e);
      return;
    }
    fill(job, staging, stagedBytes);
    staged.add(job);
    stagedBytes += job.bytes();
  }

  private void writeAlone(Job job) {
    AlignedMemory memory;
    try {
      memory = AlignedMemory.allocate(job.bytes());
    } catch (OutOfMemoryError e) {
      fail(job, new NoSpaceException("no memory to write a long value: bytes=" + job.bytes()));
      return;
    }
    try (memory) {
      fill(job, memory, 0);
      write(List.of(job), memory, job.bytes());
    }
  }

  /** Brings what is in a block already, or zeros. */
  private void prepare(Job job, int offset) throws IOException {
    long at = staging.address() + offset;
    if (!job.first().hasSlot()) {
      int end = job.bytes() - SpillSpace.PAGE_BYTES;
      Memory.fill(at + end, SpillSpace.PAGE_BYTES, (byte) 0);
    } else if (job.isFresh()) {
      Memory.fill(at, job.bytes(), (byte) 0);
    } else if (lastBlock[job.slotClass()] == job.page()) {
      Memory.copy(lastBlocks[job.slotClass()].address(), at, job.bytes());
    } else {
      blocksReread.increment();
      int read = files.read(job.page(), staging.slice(offset, job.bytes()));
      if (read < job.bytes()) {
        throw new IOException("a block ends early: page=%d bytes=%d".formatted(job.page(), read));
      }
    }
  }

  private void fill(Job job, AlignedMemory memory, int offset) {
    for (Value value : job.values) {
      stamp = SpillHandle.nextStamp(stamp);
      long handle = SpillHandle.of(value.place, stamp);
      int at = offset;
      if (value.hasSlot()) {
        at += SpillHandle.slot(value.place) * SlotClass.slotBytes(job.slotClass());
      }
      SpillFrame.put(memory, at, handle, value.batch.address(value.index), value.length());
      value.batch.wrote(value.index, handle);
    }
  }

  private void flush() {
    if (!staged.isEmpty()) {
      write(staged, staging, stagedBytes);
      int offset = 0;
      for (Job job : staged) {
        if (job.first().hasSlot() && job.first().batch.handle(job.first().index) != 0) {
          lastBlock[job.slotClass()] = job.page();
          Memory.copy(
              staging.address() + offset, lastBlocks[job.slotClass()].address(), job.bytes());
        }
        offset += job.bytes();
      }
      staged.clear();
      stagedBytes = 0;
    }
  }

  private void write(List<Job> jobs, AlignedMemory memory, int bytes) {
    try {
      files.write(jobs.getFirst().page(), memory.slice(0, bytes));
      writes.increment();
      bytesWritten.add(bytes);
      for (Job job : jobs) {
        valuesWritten.add(job.values.size());
      }
    } catch (IOException e) {
      for (Job job : jobs) {
        fail(job, e);
      }
    }
  }

  /** A full disk may have room later; a place that cannot be written for another reason is lost. */
  private void fail(Job job, IOException e) {
    if (job.first().hasSlot() && lastBlock[job.slotClass()] == job.page()) {
      lastBlock[job.slotClass()] = SpillSpace.NONE;
    }
    for (Value value : job.values) {
      value.batch.wrote(value.index, SpillHandle.NONE);
      value.batch.failed(e);
      if (e instanceof NoSpaceException) {
        space.give(value.place, value.frameBytes());
      } else {
        space.lose(value.place, value.frameBytes());
      }
    }
  }

  @Override
  public void close() {
    staging.close();
    for (AlignedMemory each : lastBlocks) {
      each.close();
    }
  }
}
