package io.keyvalueserve.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever becomes of records, those that expire are shown within a second of their time, and
 * no others; and what is kept for that stays small. Method: random changes of a table of all kinds,
 * while the time goes on by leaps of up to three days.
 */
class ExpiryModelTest {
  private static final int STEPS = 3_000;
  private static final int KEYS = 300;
  private static final long DAY_MILLIS = 86_400_000;

  /** Of the index and the wheel of a table that was empty once. */
  private static final long SMALL = 256;

  private final Map<String, Long> postponed = new HashMap<>();
  private long now = System.currentTimeMillis();

  @Property(tries = 25)
  void whatExpiresIsShownInTime(@ForAll long seed) {
    Random random = new Random(seed);
    postponed.clear();
    now = System.currentTimeMillis();
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1)) {
      Table table = new Table(heap, 0, random.nextLong(), false, new Unheard());
      long[] told = {Long.MAX_VALUE};
      table.onWakeEarlier(second -> told[0] = Math.min(told[0], second));
      long farthest = random.nextBoolean() ? 100_000 : 10 * DAY_MILLIS;
      for (int step = 0; step < STEPS; step++) {
        change(table, random, farthest);
        assertThat(told[0])
            .as("what was told is no later")
            .isLessThanOrEqualTo(table.expiryWakeAt());
        if (random.nextInt(8) == 0) {
          now += random.nextLong(random.nextInt(60) == 0 ? 3 * DAY_MILLIS : 5_000);
          expire(table, random);
          requireNoneLeft(table);
          told[0] = table.expiryWakeAt();
        }
      }
      table.clear();
      assertThat(table.bytes()).isLessThan(SMALL);
      assertThat(table.expiryWakeAt()).isEqualTo(Long.MAX_VALUE);
      table.close();
    }
  }

  private static final class Unheard implements Departures {
    @Override
    public void left(long position, int bytes) {}

    @Override
    public void leftDisk(long handle, int length) {}
  }

  private void change(Table table, Random random, long farthest) {
    byte[] key = ("key-" + random.nextInt(KEYS)).getBytes(UTF_8);
    byte[] value = "v".repeat(random.nextInt(100)).getBytes(UTF_8);
    long record = table.find(key, 0, key.length, 1);
    Attributes attributes = new Attributes();
    if (random.nextInt(4) > 0) {
      attributes.expiresAt = now + random.nextLong(random.nextBoolean() ? 5_000 : farthest);
    }
    switch (record == 0 ? 0 : random.nextInt(9)) {
      case 0, 1 -> {
        long _ = table.put(key, 0, key.length, 1, 0, value, 0, value.length, 1, attributes);
        if (record == 0) { // else it may have the note of the one before
          postponed.remove(new String(key, UTF_8));
        }
      }
      case 2 -> table.replaceValue(record, value, 0, value.length, 1);
      case 3 -> {
        long _ = table.setExpiry(record, attributes);
      }
      case 4 -> {
        if (Records.isSpilled(record)) {
          table.promote(record, new byte[Records.valueLength(record)], 0);
        } else {
          table.spill(record, 7);
        }
      }
      case 5 -> table.relocate(record);
      case 6 -> {
        if (Records.expires(record)) { // as a read of an entry that idles
          Records.setExpiresAt(record, Records.expiresAt(record) + random.nextLong(5_000));
        }
      }
      case 7 -> table.remove(record);
      default -> {
        if (random.nextInt(300) == 0) {
          table.clear();
        }
      }
    }
  }

  private void expire(Table table, Random random) {
    List<Long> gone = new ArrayList<>();
    boolean more = true;
    while (more) {
      more = table.expire(now, 1 + random.nextInt(50), record -> look(record, random, gone));
      gone.forEach(table::remove);
      gone.clear();
    }
  }

  private long look(long record, Random random, List<Long> gone) {
    assertThat(Records.expiresAt(record)).isLessThan(now);
    String key = key(record);
    if (random.nextInt(10) == 0) { // it is locked
      long later = now + random.nextLong(20_000);
      postponed.put(key, later);
      return later;
    }
    gone.add(record);
    return Attributes.NEVER;
  }

  private static String key(long record) {
    byte[] key = new byte[Records.keyLength(record)];
    Records.copyKey(record, key, 0);
    return new String(key, UTF_8);
  }

  private void requireNoneLeft(Table table) {
    long second = now - now % 1_000;
    for (long cursor = 0; cursor != Table.END; ) {
      cursor =
          table.scan(
              cursor,
              record -> {
                if (postponed.getOrDefault(key(record), 0L) < second) {
                  assertThat(Records.expiresAt(record)).isGreaterThanOrEqualTo(second);
                }
              });
    }
  }

  /** A write is carried out if there is memory for it and none for its note. */
  @Test
  void whatWasWrittenWithoutMemoryForANoteIsShownToo() {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(2 << 20), 1)) {
      Table table = new Table(heap, 0, 1);
      int written = 0;
      try {
        while (true) {
          byte[] key = String.format(Locale.ROOT, "%08d", written).getBytes(UTF_8);
          Attributes attributes = new Attributes();
          attributes.expiresAt = now + written % 100_000;
          long _ = table.put(key, 0, 8, 1, 0, key, 0, 8, 1, attributes);
          written++;
        }
      } catch (OutOfNativeMemoryException e) {
        assertThat(written).isGreaterThan(1_000);
      }
      assertThat(table.expiryWakeAt()).as("there was no memory for some").isZero();
      now += 200_000;
      List<Long> gone = new ArrayList<>();
      for (int i = 0; i < written && table.size() > 0; i++) {
        boolean _ =
            table.expire(
                now,
                100,
                record -> {
                  gone.add(record);
                  return Attributes.NEVER;
                });
        gone.forEach(table::remove);
        gone.clear();
      }
      assertThat(table.size()).isZero();
      table.close();
    }
  }

  /** The clock was an hour ahead, and is right again. */
  @Test
  void whatIsWrittenAfterTheClockWentBackIsShownInTime() {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1)) {
      Table table = new Table(heap, 0, 1);
      for (int i = 0; i < KEYS; i++) {
        put(table, "later-" + i, now + 10 * DAY_MILLIS);
      }
      assertThat(shown(table, now + 3_600_000)).isEmpty();
      put(table, "soon", now + 1_000);
      assertThat(table.expiryWakeAt()).isLessThanOrEqualTo(now / 1_000 + 3);
      assertThat(shown(table, now + 3_000)).containsExactly("soon");
      table.close();
    }
  }

  private static void put(Table table, String text, long expiresAt) {
    byte[] key = text.getBytes(UTF_8);
    Attributes attributes = new Attributes();
    attributes.expiresAt = expiresAt;
    long _ = table.put(key, 0, key.length, 1, 0, key, 0, key.length, 1, attributes);
  }

  /** The keys that are shown as expired at a time; they stay. */
  private static List<String> shown(Table table, long at) {
    List<String> keys = new ArrayList<>();
    boolean _ =
        table.expire(
            at,
            Integer.MAX_VALUE,
            record -> {
              keys.add(key(record));
              return Attributes.NEVER;
            });
    return keys;
  }

  /** Each removal leaves a note behind, which nobody would come upon for an hour. */
  @Test
  void whatIsWrittenAndRemovedAgainAndAgainLeavesLittleBehind() {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1)) {
      Table table = new Table(heap, 0, 1);
      byte[] key = "key".getBytes(UTF_8);
      for (int i = 0; i < 1_000_000; i++) {
        Attributes attributes = new Attributes();
        attributes.expiresAt = now + 3_600_000 + i / 100;
        long record = table.put(key, 0, key.length, 1, 0, key, 0, key.length, 1, attributes);
        if (i % 3 > 0) {
          assertThat(table.remove(record)).isTrue();
        }
      }
      assertThat(table.bytes()).isLessThan(64 << 10);
      table.close();
    }
  }

  @Test
  void anEntryThatExpiresTakesAtMostSixteenBytesMore() {
    int entries = 200_000;
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(256 << 20), 1)) {
      Table table = new Table(heap, 0, 1);
      long records = 0;
      for (int i = 0; i < entries; i++) {
        byte[] key = Integer.toString(i).getBytes(UTF_8);
        Attributes attributes = new Attributes();
        attributes.expiresAt = now + i % 86_400_000L;
        long record = table.put(key, 0, key.length, 1, 0, key, 0, key.length, 1, attributes);
        records += Records.bytes(record);
      }
      long index = 64L * entries / 4;
      assertThat(table.bytes() - records - index).isLessThan(16L * entries);
      table.close();
    }
  }
}
