package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Goal: no bytes in a log make reading it throw anything but what is documented, read outside of
 * its memory, or bring up a record that was never written. Method: a real log, its files changed at
 * random, and checked record by record. {@code -Dkvs.history=S} runs one.
 */
class ChunkFuzzTest {
  private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(4);

  @Test
  void noChangeOfAnyFileBringsUpARecordThatWasNotWritten() throws IOException {
    Set<Map.Entry<HeldRecords.Key, String>> written = new HashSet<>();
    Map<String, byte[]> files = log(written);
    String one = System.getProperty("kvs.history");
    if (one != null) {
      check(files, written, Long.parseLong(one));
      return;
    }
    long seed = System.nanoTime();
    long end = System.nanoTime() + BUDGET_NANOS;
    while (System.nanoTime() < end) {
      try {
        check(files, written, seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("run again with -Dkvs.history=" + seed, e);
      }
      seed++;
    }
  }

  /** The scanner by itself, on memory that ends where the unit ends: what it finds is within. */
  @Test
  void theScannerStaysWithinItsMemory() {
    SplittableRandom random = new SplittableRandom(7);
    try (AlignedMemory memory = AlignedMemory.allocate(16 << 10)) {
      FrameScanner scanner = new FrameScanner(memory);
      for (int round = 0; round < 2_000; round++) {
        for (int i = 0; i < memory.bytes(); i += Long.BYTES) {
          long bits = random.nextInt(3) == 0 ? random.nextInt(9_000) : random.nextLong();
          Memory.putLong(memory.address() + i, bits);
        }
        scanner.scan(9, 0, 4096, 16 << 10, 8 << 10);
        assertThat(scanner.count()).isZero();
        assertThat(scanner.gaps()).hasSize(1);
        assertThat(scanner.gaps().get(0).from()).isEqualTo(4096);
        assertThat(scanner.gaps().get(0).to()).isEqualTo(16 << 10);
      }
    }
  }

  private static Map<String, byte[]> log(Set<Map.Entry<HeldRecords.Key, String>> written)
      throws IOException {
    SimulatedDisk disk = new SimulatedDisk(512);
    VirtualClock clock = new VirtualClock();
    HeldRecords held = new HeldRecords();
    Journal journal = Logs.open(disk, clock, held);
    for (int i = 0; i < 260; i++) {
      String key = "key" + i % 90;
      if (i % 7 == 6) {
        Logs.remove(journal, held, i % 3, "m" + i % 2, key);
      } else {
        String value = "v" + i + "x".repeat(i % 50 == 0 ? 3_000 : i % 300);
        Logs.put(journal, held, i % 3, "m" + i % 2, key, value, i % 11 == 0 ? Long.MAX_VALUE : 0);
        written.add(Map.entry(new HeldRecords.Key(i % 3, "m" + i % 2, 1, key), value));
      }
      journal.turn();
      journal.turn();
    }
    Logs.settle(journal, clock); // one chunk of each stream is not sealed
    disk.crash(new Random(3));
    Map<String, byte[]> files = new TreeMap<>();
    for (String directory : new String[] {"chunks", "blobs"}) {
      for (String name : disk.list(directory)) {
        files.put(directory + "/" + name, read(disk, directory + "/" + name));
      }
    }
    files.put(LogFiles.MANIFEST, read(disk, LogFiles.MANIFEST));
    files.put(LogFiles.IDENTITY, read(disk, LogFiles.IDENTITY));
    return files;
  }

  private static void check(
      Map<String, byte[]> files, Set<Map.Entry<HeldRecords.Key, String>> written, long seed)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedDisk disk = new SimulatedDisk(512);
    String[] names = files.keySet().toArray(new String[0]);
    String victim = names[random.nextInt(names.length)];
    for (String name : names) {
      byte[] bytes = Objects.requireNonNull(files.get(name)).clone();
      byte[] content =
          name.equals(victim) || random.nextInt(20) == 0 ? changed(bytes, random) : bytes;
      disk.create(name, 0).close();
      DiskFile file = disk.open(name, Disk.Access.CACHED);
      file.write(0, MemorySegment.ofArray(content));
      file.sync();
    }
    for (int way = 0; way < 3; way++) {
      HeldRecords back = new HeldRecords();
      KeysLater later =
          way == 0 ? new KeysLater(map -> true, 0, Long.MAX_VALUE, Long.MAX_VALUE) : KeysLater.NONE;
      try (Journal journal =
          Journal.open(Logs.SMALL, disk, new VirtualClock(), back, way < 2, later)) {
        HeldKeys keys = journal.heldKeys();
        if (keys != null) {
          for (int partition = 0; partition < 3; partition++) {
            keys.give(partition, back);
          }
        }
        back.records.forEach(
            (key, record) -> {
              String value = record.value();
              if (value != null) {
                assertThat(written).contains(Map.entry(key, value));
              } else {
                assertThat(written).extracting(Map.Entry::getKey).contains(key);
              }
            });
      } catch (DirectoryRefusedException e) {
        assertThat(e.reason())
            .isIn(
                DirectoryRefusedException.Reason.DAMAGED,
                DirectoryRefusedException.Reason.OTHER_FORMAT);
      }
    }
  }

  private static byte[] changed(byte[] bytes, SplittableRandom random) {
    byte[] changed = bytes;
    for (int i = random.nextInt(6); i >= 0 && changed.length > 8; i--) {
      int at = random.nextInt(changed.length);
      switch (random.nextInt(5)) {
        case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> changed[at] = (byte) random.nextInt(256);
        case 2 ->
            Arrays.fill(
                changed, at, Math.min(changed.length, at + random.nextInt(5_000)), (byte) 0);
        case 3 -> {
          int length = Math.min(random.nextInt(2_000), changed.length - at);
          int to = random.nextInt(changed.length - length + 1) & -8;
          System.arraycopy(changed, at & -8, changed, to, length & -8);
        }
        default -> changed = Arrays.copyOf(changed, random.nextInt(changed.length));
      }
    }
    return changed;
  }

  private static byte[] read(SimulatedDisk disk, String name) throws IOException {
    DiskFile file = disk.open(name, Disk.Access.CACHED);
    byte[] bytes = new byte[(int) file.size()];
    file.read(0, MemorySegment.ofArray(bytes));
    return bytes;
  }
}
