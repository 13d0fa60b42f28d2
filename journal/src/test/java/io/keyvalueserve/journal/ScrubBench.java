package io.keyvalueserve.journal;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Measures what scrubbing costs a log that is not written to: processor time of the one thread that
 * does it, and what it reads. Run its main method; arguments: a directory, MiB of records of 1 KiB,
 * seconds for each rate. The log is in a new directory below the given one, and is removed at the
 * end. Other files there are left alone.
 */
final class ScrubBench {
  private static final int MIB = 1 << 20;
  private static final int PAYLOAD_BYTES = 1_040;
  private static final int KEY_BYTES = 16;
  private static final int PARTITIONS = 271;
  private static final JournalConfig CONFIG = JournalConfig.of("c", "m", 1, 1);

  private ScrubBench() {}

  public static void main(String[] args) throws Exception {
    Path parent =
        Files.createDirectories(Path.of(args.length > 0 ? args[0] : "/tmp/kvs-scrub-bench"));
    long bytes = (args.length > 1 ? Long.parseLong(args[1]) : 1024) * MIB;
    Duration time = Duration.ofSeconds(args.length > 2 ? Long.parseLong(args[2]) : 30);
    Duration most = Duration.ofNanos((long) (bytes * 1e9 / ScrubPace.MOST_BYTES_PER_SECOND));
    Path directory = Files.createTempDirectory(parent, "log-");
    try {
      fill(directory, bytes);
      measure(directory, "off", Duration.ZERO, time, false);
      measure(directory, "a week, 1 MiB/s", Duration.ofDays(7), time, false);
      measure(directory, "64 MiB/s", most, time, false);
      measure(directory, "as fast as the disk", Duration.ZERO, time, true);
    } finally {
      delete(directory);
    }
  }

  private static void fill(Path directory, long bytes) throws Exception {
    try (Journal journal = Journal.open(CONFIG, FileDisk.at(directory), new HeldNothing())) {
      int map = journal.map("bench");
      byte[] payload = new byte[PAYLOAD_BYTES];
      for (long i = 0, end = bytes / (PAYLOAD_BYTES + Frames.HEADER_BYTES); i < end; i++) {
        long _ = journal.put((int) (i % PARTITIONS), map, 0, 1, payload, 0, KEY_BYTES);
      }
      journal.awaitCertain();
    }
  }

  private static void measure(
      Path directory, String what, Duration each, Duration time, boolean now) throws Exception {
    try (Journal journal = Journal.openKeys(CONFIG, FileDisk.at(directory), new HeldNothing())) {
      journal.compact(new HeldNothing(), CompactionPolicy.DEFAULT, each);
      Thread.sleep(500);
      if (now) {
        journal.scrub();
      }
      long cpu = cpuNanos();
      long disk = readBytes();
      long read = journal.scrubFigures().bytesRead();
      long begin = System.nanoTime();
      long passes = journal.scrubFigures().passes();
      while (System.nanoTime() - begin < time.toNanos()
          && (!now || journal.scrubFigures().passes() == passes)) {
        Thread.sleep(5);
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      double busy = (cpuNanos() - cpu) / 1e9;
      double scrubbed = (double) (journal.scrubFigures().bytesRead() - read) / MIB;
      System.out.printf(
          Locale.ROOT,
          "%-20s %6.1f s  %7.1f MiB read and checked (%.1f MiB/s), %.1f MiB from the disk,"
              + " %.3f s of CPU: %.2f %% of a core%s%n",
          what,
          seconds,
          scrubbed,
          scrubbed / seconds,
          (double) (readBytes() - disk) / MIB,
          busy,
          100 * busy / seconds,
          scrubbed > 0
              ? String.format(Locale.ROOT, ", %.2f s for a GiB", 1024 * busy / scrubbed)
              : "");
    }
  }

  private static long cpuNanos() {
    var threads = ManagementFactory.getThreadMXBean();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("kvs-journal-compactor")) {
        return threads.getThreadCpuTime(thread.threadId());
      }
    }
    throw new IllegalStateException("no thread scrubs");
  }

  // The bytes that this process had the disk read.
  private static long readBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
      if (line.startsWith("read_bytes: ")) {
        return Long.parseLong(line.substring(12));
      }
    }
    return 0;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  // A member whose records are all where the log has them.
  private static final class HeldNothing implements RecoverySink, RecordOwner {
    @Override
    public void put(Frame frame) {
      // nothing is kept
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

    @Override
    public void exclusively(int partition, Runnable slice) {
      slice.run();
    }

    @Override
    public long positionOf(Frame frame) {
      return frame.position();
    }

    @Override
    public void moved(Frame frame, long position) {
      // nothing is kept
    }
  }
}
