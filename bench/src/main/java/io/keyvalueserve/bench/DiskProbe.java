package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Measures a disk in a file of a folder, which is gone afterwards. */
final class DiskProbe {
  private static final int UNIT = 1 << 20;
  private static final int ALIGNMENT = 4096;

  /** So much less is written with fdatasync, which is slow. */
  private static final int SYNCED_SHARE = 4;

  private static final Set<OpenOption> CREATE =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);

  /** Null in a JVM that has none. It is not Java's own, and the compiler warns who names it. */
  private static final @Nullable OpenOption DIRECT = direct();

  private final Path file;
  private final int units;

  /** Does something with a MiB of the file. */
  private interface Step {
    void run(FileChannel file, ByteBuffer unit, long at) throws IOException;
  }

  private DiskProbe(Path file, int units) {
    this.file = file;
    this.units = units;
  }

  /**
   * Writes and reads so many bytes in several ways. Blocks for seconds.
   *
   * @param cold whether also with the page cache dropped, which must be possible
   */
  static DiskLimits measure(Path folder, long bytes, boolean cold) {
    Path file = folder.resolve("disk-probe");
    int units = Math.max(Cores.count(), Math.toIntExact(bytes / UNIT));
    try {
      Files.createDirectories(folder);
      try {
        return new DiskProbe(file, units).measure(cold);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new BenchException("the disk cannot be measured: " + folder, e);
    }
  }

  private DiskLimits measure(boolean cold) throws IOException {
    double cachedWrite = run(CREATE, 0, Math.max(1, units / SYNCED_SHARE), DiskProbe::writeSynced);
    run(CREATE, 0, units, DiskProbe::writeAll);
    return new DiskLimits(
        directly(StandardOpenOption.WRITE, 1),
        directly(StandardOpenOption.READ, 1),
        directly(StandardOpenOption.READ, Cores.count()),
        cachedWrite,
        cold ? cold() : 0);
  }

  private double cold() throws IOException {
    PageCache.drop();
    return run(Set.of(StandardOpenOption.READ), 0, units, DiskProbe::readAll);
  }

  private double directly(OpenOption access, int threads) throws IOException {
    if (DIRECT == null) {
      return 0;
    }
    Set<OpenOption> options = Set.of(access, DIRECT);
    Step step = access == StandardOpenOption.READ ? DiskProbe::readAll : DiskProbe::writeAll;
    try {
      long begin = System.nanoTime();
      if (threads == 1) {
        run(options, 0, units, step);
      } else {
        inParallel(options, threads, step);
      }
      return mibPerSecond(units, begin);
    } catch (UnsupportedOperationException | IOException notHere) {
      return 0; // as on tmpfs
    }
  }

  private void inParallel(Set<OpenOption> options, int threads, Step step) {
    Load.inParallel(
        threads,
        part -> {
          try {
            run(options, units * part / threads, units * (part + 1) / threads, step);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** From one MiB of the file to another; returns MiB/s, with an fdatasync at the end of writes. */
  private double run(Set<OpenOption> options, int from, int to, Step step) throws IOException {
    ByteBuffer unit = ByteBuffer.allocateDirect(UNIT + ALIGNMENT).alignedSlice(ALIGNMENT);
    byte[] noise = new byte[UNIT]; // what a disk cannot compress
    new Random(from).nextBytes(noise);
    unit.put(0, noise);
    long begin = System.nanoTime();
    try (FileChannel channel = FileChannel.open(file, options)) {
      for (int i = from; i < to; i++) {
        unit.position(0).limit(UNIT);
        step.run(channel, unit, (long) i * UNIT);
      }
      if (!options.contains(StandardOpenOption.READ)) {
        channel.force(false);
      }
    }
    return mibPerSecond(to - from, begin);
  }

  private static void writeAll(FileChannel channel, ByteBuffer unit, long at) throws IOException {
    while (unit.hasRemaining()) {
      channel.write(unit, at + unit.position());
    }
  }

  private static void writeSynced(FileChannel channel, ByteBuffer unit, long at)
      throws IOException {
    writeAll(channel, unit, at);
    channel.force(false);
  }

  private static void readAll(FileChannel channel, ByteBuffer unit, long at) throws IOException {
    while (unit.hasRemaining()) {
      if (channel.read(unit, at + unit.position()) <= 0) {
        throw new IOException("the file is shorter than it was written");
      }
    }
  }

  private static double mibPerSecond(int units, long begin) {
    return units * 1e9 / Math.max(1, System.nanoTime() - begin);
  }

  private static @Nullable OpenOption direct() {
    try {
      Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
      return (OpenOption) options.getField("DIRECT").get(null);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
