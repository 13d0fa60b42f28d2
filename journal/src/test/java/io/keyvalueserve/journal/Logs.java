package io.keyvalueserve.journal;

import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Small logs for tests: blocks of 8 KiB, chunks of 32 KiB. */
final class Logs {
  static final JournalConfig SMALL =
      JournalConfig.of("cluster-1", "member-1", 1, 2)
          .withSizes(4, 8 << 10, 32 << 10)
          .withThreads(0, 1);

  private Logs() {}

  static Journal open(SimulatedDisk disk, VirtualClock clock, HeldRecords sink) throws IOException {
    return open(SMALL, disk, clock, sink);
  }

  static Journal open(
      JournalConfig config, SimulatedDisk disk, VirtualClock clock, HeldRecords sink)
      throws IOException {
    Journal journal = Journal.open(config, disk, clock, sink, false);
    sink.setDead(journal);
    journal.turn(); // the first chunks
    journal.turn();
    return journal;
  }

  /** Puts a record as a member would. */
  static long put(
      Journal journal, HeldRecords held, int partition, String map, String key, String value) {
    return put(journal, held, partition, map, key, value, 0);
  }

  static long put(
      Journal journal,
      HeldRecords held,
      int partition,
      String map,
      String key,
      String value,
      long expiresAt) {
    byte[] payload = HeldRecords.payload(key, value);
    long position;
    synchronized (held.partition(partition)) {
      position = journal.put(partition, journal.map(map), expiresAt, 1, payload, 0, key.length());
      held.put(
          new HeldRecords.Key(partition, map, 1, key),
          new HeldRecords.Held(position, payload.length, value, expiresAt));
    }
    return position;
  }

  static long remove(Journal journal, HeldRecords held, int partition, String map, String key) {
    long position = journal.remove(partition, journal.map(map), 1, HeldRecords.payload(key, ""));
    held.remove(new HeldRecords.Key(partition, map, 1, key));
    return position;
  }

  /** Moves the time on until what was appended is certain. */
  static void settle(Journal journal, VirtualClock clock) {
    for (int i = 0; i < 4; i++) {
      clock.advanceMillis(600);
      journal.turn();
    }
  }

  /** Copies a file. */
  static void copy(SimulatedDisk fromDisk, String from, SimulatedDisk toDisk, String to)
      throws IOException {
    DiskFile source = fromDisk.open(from, Disk.Access.CACHED);
    byte[] bytes = new byte[(int) source.size()];
    source.read(0, MemorySegment.ofArray(bytes));
    toDisk.create(to, 0).close();
    DiskFile copy = toDisk.open(to, Disk.Access.CACHED);
    copy.write(0, MemorySegment.ofArray(bytes));
    copy.sync();
    toDisk.syncDirectory("chunks");
  }

  /** Somebody who waits, and remembers how it ended. */
  static final class Waiter extends DurabilityWaiter {
    final AtomicInteger durable = new AtomicInteger();
    final List<JournalException> failures = new ArrayList<>();

    @Override
    protected void durable() {
      durable.incrementAndGet();
    }

    @Override
    protected void failed(JournalException e) {
      failures.add(e);
    }
  }
}
