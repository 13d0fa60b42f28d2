package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.journal.sim.WriteBackDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the log with its threads, on a file system, loses nothing that was certain when all goes
 * that was not synced. Method: lives that end at any moment by a crash of the disk.
 */
class UnsyncedIsLostTest {
  /** More of them with {@code -Dkvs.test.long=on}. */
  private static final int LIVES = System.getProperty("kvs.test.long", "off").equals("on") ? 12 : 6;

  @TempDir private Path directory;
  private final Map<String, Integer> certain = new ConcurrentHashMap<>();
  private int next;

  /** How a life goes on. */
  private interface Opening {
    WriteBackDisk open(int life) throws IOException;
  }

  @Test
  void nothingIsLostThatWasCertain() throws Exception {
    assertThat(lives(life -> WriteBackDisk.at(directory, OptionalLong.empty()))).isZero();
  }

  @Test
  void nothingIsLostWhenSomeOfTheRestIsKept() throws Exception {
    assertThat(lives(life -> WriteBackDisk.at(directory, OptionalLong.of(life)))).isZero();
  }

  /** Else the others would prove nothing. */
  @Test
  void theLossIsFoundOfADiskThatNeverSyncs() throws Exception {
    assertThat(
            lives(
                life ->
                    life == 1
                        ? WriteBackDisk.thatNeverSyncs(directory)
                        : WriteBackDisk.at(directory, OptionalLong.empty())))
        .isPositive();
  }

  /** Returns how many keys had an older value, or none, that was certain. */
  private int lives(Opening opening) throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    int lost = 0;
    for (int life = 0; life < LIVES; life++) {
      WriteBackDisk disk = opening.open(life);
      HeldRecords held = new HeldRecords();
      Journal journal = Journal.open(KilledWriter.CONFIG, Subdirectory.of(disk, "log"), held);
      held.setDead(journal);
      journal.compact(held, new CompactionPolicy(1.5, 2, 0.05, 1L << 30));
      assertThat(journal.report().hasLoss()).as(journal.report().toString()).isFalse();
      lost += lostOf(held);
      try {
        write(journal, held, random, 500 + random.nextInt(2_000));
      } finally {
        disk.crash();
        end(journal);
      }
    }
    assertThat(Files.isDirectory(directory.resolve("log/chunks"))).isTrue();
    assertThat(certain).hasSizeGreaterThan(KilledWriter.KEYS / 2);
    return lost;
  }

  /** Writes until so many writes are certain. */
  private void write(Journal journal, HeldRecords held, SplittableRandom random, int goal)
      throws Exception {
    int[] told = {0};
    Object monitor = new Object();
    while (true) {
      synchronized (monitor) {
        if (told[0] >= goal) {
          return;
        }
      }
      int number = ++next;
      int key = random.nextInt(KilledWriter.KEYS);
      int length = random.nextInt(400) == 0 ? 300_000 : number % 900;
      long position =
          Logs.put(journal, held, key % 7, "m", "key" + key, number + "-" + "x".repeat(length));
      journal.whenDurable(
          position,
          new DurabilityWaiter() {
            @Override
            protected void durable() {
              certain.merge("key" + key, number, Math::max);
              synchronized (monitor) {
                told[0]++;
              }
            }

            @Override
            protected void failed(JournalException e) {
              // the disk has crashed
            }
          });
    }
  }

  private int lostOf(HeldRecords back) {
    int lost = 0;
    for (Map.Entry<String, Integer> each : certain.entrySet()) {
      int key = Integer.parseInt(each.getKey().substring(3));
      HeldRecords.Held held = back.records.get(new HeldRecords.Key(key % 7, "m", 1, each.getKey()));
      int number = 0;
      if (held != null) {
        String value = Objects.requireNonNull(held.value());
        number = Integer.parseInt(value.substring(0, value.indexOf('-')));
      }
      lost += number < each.getValue() ? 1 : 0;
      each.setValue(Math.max(number, each.getValue()));
      next = Math.max(next, number);
    }
    return lost;
  }

  private static void end(Journal journal) {
    try {
      journal.close();
    } catch (IOException e) {
      // it cannot write any more
    }
  }
}
