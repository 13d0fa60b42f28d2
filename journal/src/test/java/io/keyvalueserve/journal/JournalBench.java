package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * Measures what the log costs and how fast it comes back, beside what the disk does by itself in
 * the same run. Run its main method; arguments: a directory, MiB for each size of record. Logs are
 * in a new directory below the given one, and are removed at the end. Other files there are left
 * alone.
 */
final class JournalBench {
  private static final int UNIT = 1 << 20;
  private static final int KEY_BYTES = 16;
  private static final int CYCLE = 4096;
  private static final int PARTITIONS = 271;

  private JournalBench() {}

  public static void main(String[] args) throws Exception {
    Path parent =
        Files.createDirectories(Path.of(args.length > 0 ? args[0] : "/tmp/kvs-journal-bench"));
    long bytes = (args.length > 1 ? Long.parseLong(args[1]) : 1024) << 20;
    Path directory = Files.createTempDirectory(parent, "log-");
    try {
      System.out.println("disk: " + FileDisk.at(directory).mode());
      diskItself(directory, bytes);
      for (int value : new int[] {100, 1024}) {
        appendAndRecover(directory, value, bytes);
      }
      always(directory);
    } finally {
      delete(directory);
    }
  }

  private static void diskItself(Path directory, long bytes) throws IOException {
    FileDisk disk = FileDisk.at(directory);
    disk.delete("raw");
    try (AlignedMemory memory = AlignedMemory.allocate(UNIT);
        DiskFile file = disk.create("raw", bytes)) {
      Memory.fill(memory.address(), UNIT, (byte) 7);
      for (int pass = 0; pass < 2; pass++) { // the second writes to extents that were written
        long begin = System.nanoTime();
        for (long at = 0; at < bytes; at += UNIT) {
          file.write(at, memory.slice(0, UNIT));
        }
        file.sync();
        print(pass == 0 ? "disk, direct write, fresh" : "disk, direct write, again", bytes, begin);
      }
      long begin = System.nanoTime();
      for (long at = 0; at < bytes; at += UNIT) {
        file.read(at, memory.slice(0, UNIT));
      }
      print("disk, direct read", bytes, begin);
    }
    disk.delete("raw");
  }

  private static void appendAndRecover(Path directory, int value, long bytes) throws Exception {
    delete(directory);
    JournalConfig config = JournalConfig.of("c", "m", 1, 2);
    int payload = KEY_BYTES + value;
    long records = bytes / Frames.aligned(Frames.HEADER_BYTES + payload);
    HeldNothing sink = new HeldNothing();
    try (Journal journal = Journal.open(config, FileDisk.at(directory), sink);
        AlignedMemory image = AlignedMemory.allocate(payload)) {
      int map = journal.map("bench");
      appendCost(journal, map, image.address(), payload, 20_000);
      double[] nanos = new double[15];
      for (int i = 0; i < nanos.length; i++) {
        Thread.sleep(60); // the ring is empty again: the cost is the append's, not the disk's
        nanos[i] = appendCost(journal, map, image.address(), payload, 6 * UNIT / payload / 2);
      }
      Arrays.sort(nanos);
      System.out.printf(
          Locale.ROOT,
          "append %4d B: %.0f ns a record, median of 15 bursts into an empty ring%n",
          value,
          nanos[nanos.length / 2]);
      long begin = System.nanoTime();
      for (int i = 0; i < records; i++) {
        append(journal, map, image.address(), payload, i);
      }
      Certain certain = new Certain();
      journal.whenDurable(append(journal, map, image.address(), payload, 0), certain);
      certain.await();
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "sustained %4d B, everysec, one thread: %.0f MiB/s, %.2f M records/s%n",
          value,
          bytes / seconds / UNIT,
          records / seconds / 1e6);
    }
    recover(directory, config, value);
  }

  private static double appendCost(Journal journal, int map, long image, int payload, int count) {
    long begin = System.nanoTime();
    for (int i = 0; i < count; i++) {
      append(journal, map, image, payload, i);
    }
    return (double) (System.nanoTime() - begin) / count;
  }

  private static long append(Journal journal, int map, long image, int payload, int i) {
    Memory.putLong(image, i * 0x9E3779B97F4A7C15L);
    return journal.put((i & (CYCLE - 1)) % PARTITIONS, map, 0, 1, image, payload, 0, KEY_BYTES);
  }

  private static void recover(Path directory, JournalConfig config, int value) throws IOException {
    for (int readers = 1; readers <= 3; readers++) {
      HeldNothing sink = new HeldNothing();
      JournalConfig threads = config.withThreads(readers, 1);
      try (Journal journal = Journal.open(threads, FileDisk.at(directory), sink)) {
        RecoveryReport report = journal.report();
        System.out.printf(
            Locale.ROOT,
            "recovery %4d B, %d reader(s): %.0f MiB/s, %d records, damage %d%n",
            value,
            readers,
            report.bytes() / (report.nanos() / 1e9) / UNIT,
            report.records(),
            report.damage().size());
      }
    }
    HeldNothing sink = new HeldNothing();
    try (Journal journal = Journal.openKeys(config, FileDisk.at(directory), sink)) {
      RecoveryReport report = journal.report();
      System.out.printf(
          Locale.ROOT,
          "keys only %4d B: %.0f ms, %d MiB read%n",
          value,
          report.nanos() / 1e6,
          report.bytes() / UNIT);
    }
  }

  /** Writers who wait, 1 and 64 of them. */
  private static void always(Path directory) throws Exception {
    delete(directory);
    JournalConfig config = JournalConfig.of("c", "m", 1, 2);
    try (Journal journal = Journal.open(config, FileDisk.at(directory), new HeldNothing());
        AlignedMemory image = AlignedMemory.allocate(200)) {
      int map = journal.map("bench");
      for (int waiting : new int[] {1, 64, 1024}) {
        Semaphore free = new Semaphore(waiting);
        List<Certain> waiters = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
          waiters.add(new Certain(free));
        }
        int count = 0;
        long before = journal.statistics().syncs();
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < 1_500_000_000L) {
          free.acquire();
          Certain waiter = waiters.stream().filter(Certain::isFree).findFirst().orElseThrow();
          waiter.take();
          journal.whenDurable(append(journal, map, image.address(), 116, count++), waiter);
        }
        free.acquire(waiting);
        double seconds = (System.nanoTime() - begin) / 1e9;
        System.out.printf(
            Locale.ROOT,
            "always, %4d waiting: %.0f records/s, %.0f syncs/s%n",
            waiting,
            count / seconds,
            (journal.statistics().syncs() - before) / seconds);
      }
    }
  }

  private static void print(String what, long bytes, long begin) {
    System.out.printf(
        Locale.ROOT, "%s: %.0f MiB/s%n", what, bytes / ((System.nanoTime() - begin) / 1e9) / UNIT);
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  /** Somebody who waits. */
  private static final class Certain extends DurabilityWaiter {
    private final Semaphore free;
    private volatile boolean taken;

    Certain() {
      this(new Semaphore(0));
    }

    Certain(Semaphore free) {
      this.free = free;
    }

    boolean isFree() {
      return !taken;
    }

    void take() {
      taken = true;
    }

    void await() throws InterruptedException {
      free.acquire();
    }

    @Override
    protected void durable() {
      taken = false;
      free.release();
    }

    @Override
    protected void failed(JournalException e) {
      throw e;
    }
  }

  /** Copies every payload, as a member would, and keeps none. */
  private static final class HeldNothing implements RecoverySink {
    private final AlignedMemory to = AlignedMemory.allocate(UNIT);

    @Override
    public void put(Frame frame) {
      if (frame.payloadAddress() != 0) {
        Memory.copy(frame.payloadAddress(), to.address(), frame.payloadBytes());
      }
    }

    @Override
    public void remove(Frame frame) {
      // nothing is kept
    }

    @Override
    public void clear(Frame frame) {
      // nothing is kept
    }

    @Override
    public void drop(Frame frame) {
      // nothing is kept
    }
  }
}
