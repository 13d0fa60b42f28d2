package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.journal.sim.Faults;
import io.keyvalueserve.journal.sim.SimulatedDisk;
import io.keyvalueserve.journal.sim.VirtualClock;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: readers that run ahead of loaders find what one thread finds that does all of it, whatever
 * is damaged or cannot be read; and when something fails in the middle nothing is left behind.
 */
final class ReplayReadTest {
  private static final JournalConfig MANY = Logs.SMALL.withThreads(2, 3);
  private static final int KEYS = 400;
  private static final int PUTS = 2_000;
  private static final int LARGE_PUTS = 2_500;
  private static final int BLOCK_BYTES = 4096;
  private static final long RING_BYTES = 32 << 20;

  private final long memoryBefore = AlignedMemory.outstandingBytes();
  private final VirtualClock clock = new VirtualClock();
  private SimulatedDisk disk = new SimulatedDisk(512);

  @BeforeEach
  void fill() throws Exception {
    disk = filled(Logs.SMALL, PUTS, 60);
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(AlignedMemory.outstandingBytes()).isEqualTo(memoryBefore);
    assertThat(disk.openFiles()).isZero();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(
            thread -> thread.isAlive() && thread.getName().matches("kvs-journal-(re|lo)ad.*"));
  }

  private SimulatedDisk filled(JournalConfig config, int puts, int valueBytes) throws IOException {
    SimulatedDisk filled = new SimulatedDisk(512);
    HeldRecords held = new HeldRecords();
    Random random = new Random(1);
    try (Journal journal = Logs.open(config, filled, clock, held)) {
      for (int i = 0; i < puts; i++) {
        String key = "key-" + random.nextInt(KEYS);
        String value = (i + "-" + random.nextLong()).repeat(valueBytes / 20);
        long _ = Logs.put(journal, held, random.nextInt(7), "map-" + i % 3, key, value);
        if (i % 20 == 0) {
          Logs.settle(journal, clock);
        }
      }
      Logs.settle(journal, clock);
    }
    return filled;
  }

  private List<String> chunks() throws IOException {
    return disk.list(LogFiles.CHUNKS).stream().map(name -> LogFiles.CHUNKS + "/" + name).toList();
  }

  /** What a replay has found: the records, and the damage in the order of its places. */
  private record Found(HeldRecords held, List<Damage> damage) {}

  private Found replay(JournalConfig config, boolean keysOnly) throws IOException {
    Recovery recovery = new Recovery(disk, config, clock);
    HeldRecords held = new HeldRecords();
    RecoveryReport report;
    try {
      report = recovery.replay(keysOnly, KeysLater.NONE, held);
    } finally {
      recovery.chunks.release();
    }
    return new Found(
        held,
        report.damage().stream()
            .sorted(Comparator.comparing(Damage::file).thenComparingLong(Damage::offset))
            .toList());
  }

  private void assertSame() throws IOException {
    for (boolean keysOnly : new boolean[] {false, true}) {
      Found one = replay(Logs.SMALL, keysOnly);
      Found many = replay(MANY, keysOnly);
      assertThat(many.damage).isEqualTo(one.damage);
      assertThat(many.held.records).isEqualTo(one.held.records);
    }
  }

  @Test
  void chunksWithoutAnythingInThemAreRead() throws IOException {
    disk = filled(Logs.SMALL, 0, 60);
    assertThat(chunks()).isNotEmpty();
    for (boolean keysOnly : new boolean[] {false, true}) {
      Found found = replay(MANY, keysOnly);
      assertThat(found.damage).isEmpty();
      assertThat(found.held.records).isEmpty();
    }
  }

  @Test
  void damageInAnyBlockIsFoundAndNothingElseIsLost() throws IOException {
    int damaged = 0;
    for (String chunk : chunks()) {
      long size = size(chunk);
      for (long at = 0; at < size; at += BLOCK_BYTES) {
        long offset = at + 64 + at / BLOCK_BYTES * 8 % 512;
        disk.corrupt(chunk, offset, 0x55);
        Found found = replay(MANY, false);
        damaged += found.damage.isEmpty() ? 0 : 1;
        assertSame();
        disk.corrupt(chunk, offset, 0x55); // as it was
      }
    }
    assertThat(damaged).isGreaterThan(20);
    assertThat(replay(MANY, false).damage).isEmpty();
  }

  private long size(String name) throws IOException {
    try (DiskFile file = disk.open(name, Disk.Access.READ)) {
      return file.size();
    }
  }

  @Test
  void whatTheDiskDoesNotReadIsNamedAndTheRestIsThere() throws IOException {
    int whole = replay(MANY, false).held.records.size();
    for (String chunk : chunks()) {
      for (long bad = 0; bad < size(chunk); bad += 2 * BLOCK_BYTES) {
        refuseReads(chunk, bad);
        Found found = replay(MANY, false);
        if (!found.damage.isEmpty()) {
          assertThat(found.damage).anyMatch(damage -> damage.kind() == Damage.Kind.UNREADABLE);
          assertThat(found.damage).allMatch(damage -> damage.file().equals(disk.path(chunk)));
        }
        assertThat(found.held.records.size()).isGreaterThan(whole / 2);
        assertSame();
        disk.setFaults(Faults.NONE);
      }
    }
  }

  private void refuseReads(String chunk, long offset) {
    disk.setFaults(
        (operation, name, at) -> {
          if (operation == Faults.Operation.READ && name.equals(chunk) && at == offset) {
            throw new IOException("Input/output error");
          }
        });
  }

  @Test
  void aChunkThatCannotBeOpenedInTheMiddleEndsIt() throws IOException {
    String last = chunks().getLast();
    AtomicInteger opened = new AtomicInteger();
    disk.setFaults(
        (operation, name, at) -> {
          boolean looked = name.equals(last) && operation == Faults.Operation.OPEN;
          if (looked && opened.getAndIncrement() > 0) { // the survey opens it first
            throw new IOException("refused");
          }
        });
    assertThatThrownBy(() -> replay(MANY, false)).hasMessageContaining("refused");
    disk.setFaults(Faults.NONE);
    assertSame();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 1_500})
  void aSinkThatFailsWhileReadersAreAheadEndsIt(int after) throws IOException {
    AtomicInteger given = new AtomicInteger();
    Recovery recovery = new Recovery(disk, MANY, clock);
    try {
      assertThatThrownBy(
              () ->
                  recovery.replay(
                      false,
                      KeysLater.NONE,
                      new Counting() {
                        @Override
                        public void put(Frame frame) {
                          if (given.incrementAndGet() >= after) {
                            throw new IllegalStateException("no more");
                          }
                        }
                      }))
          .hasMessageContaining("no more");
    } finally {
      recovery.chunks.release();
    }
  }

  /** Does nothing with what it is given. */
  private abstract static class Counting implements RecoverySink {
    @Override
    public void remove(Frame frame) {}

    @Override
    public void clear(Frame frame) {}

    @Override
    public void drop(Frame frame) {}
  }

  @Test
  void readersGoOnWhileNobodyAppliesButNotBeyondTheirMemory() throws Exception {
    JournalConfig large = Logs.SMALL.withSizes(4, 1 << 20, 4 << 20).withThreads(2, 2);
    disk = filled(large, LARGE_PUTS, 20_000);
    AtomicLong reads = new AtomicLong();
    disk.setFaults(
        (operation, name, at) -> {
          if (operation == Faults.Operation.READ) {
            reads.incrementAndGet();
          }
        });
    Recovery recovery = new Recovery(disk, large, clock);
    long surveyed = reads.get();
    AtomicLong most = new AtomicLong();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ConcurrentHashMap<Long, Boolean> positions = new ConcurrentHashMap<>();
    RecoverySink sink =
        new Counting() {
          @Override
          public void put(Frame frame) {
            begun.countDown();
            await(goOn);
            positions.put(frame.position(), true);
            most.accumulateAndGet(AlignedMemory.outstandingBytes() - memoryBefore, Math::max);
          }
        };
    Thread replaying =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    recovery.replay(false, KeysLater.NONE, sink);
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
    await(begun);
    long units = RING_BYTES / (2 << 20);
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (reads.get() - surveyed < units && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(reads.get() - surveyed).as("read while nothing is applied").isEqualTo(units);
    assertThat(positions).isEmpty();
    goOn.countDown();
    replaying.join();
    recovery.chunks.release();
    assertThat(reads.get() - surveyed).isGreaterThan(units);
    assertThat(positions).hasSize(LARGE_PUTS);
    assertThat(most.get()).isBetween(RING_BYTES, RING_BYTES + (1 << 20));
    disk.setFaults(Faults.NONE);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
