package io.keyvalueserve.maps;

import static io.keyvalueserve.maps.Entries.data;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: what tenants are charged adds up to what the entries of a partition take, and each is
 * charged for what has its number. Method: random writes by many writers, removals, and changes of
 * the setting and of who is known; after each of them the charges are compared with a count of the
 * records. A hand clock runs meanwhile, and the partition is owned now and then: what was charged
 * over time is compared with the sum of these counts times the time that each was true.
 */
class ChargesTest {
  private static final int STEPS = 500;
  private static final int KEYS = 60;
  private static final int WRITERS = 20;
  private static final int OWNER = 7;

  private final Admissions admissions = new Admissions(System::nanoTime);
  private final Whose whose = new Whose();
  private final Map<Integer, Long> charged = new HashMap<>();
  private final Map<Integer, Long> expected = new HashMap<>();
  private long nowNanos;
  private boolean owned;
  private final OwnedTime time = new OwnedTime(1, partition -> owned, () -> nowNanos);

  private final class Whose implements Charges.Tenants {
    private final Set<Integer> known = new HashSet<>(Set.of(OWNER));
    private boolean charged;
    private int changes;

    @Override
    public boolean areCharged() {
      return charged;
    }

    @Override
    public int changes() {
      return changes;
    }

    @Override
    public @Nullable TenantHoldings usage(int number) {
      return known.contains(number) ? of(number) : null;
    }
  }

  private TenantHoldings of(int number) {
    return admissions.usage("tenant-" + number);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void addUp(long seed) {
    Random random = new Random(seed);
    PartitionLock lock = new PartitionLock();
    lock.enter();
    LongAdder bytes = new LongAdder();
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1)) {
      NativeEntries entries =
          new NativeEntries(
              departures -> new Table(heap, 0, seed, false, departures),
              () -> new Table(heap, 0, seed, true, (position, length) -> {}),
              heap.epochs(),
              lock,
              bytes,
              new Charges(of(OWNER), whose, time.of(0), this::charge),
              EntryLog.NONE,
              null,
              null,
              null);
      for (int step = 0; step < STEPS; step++) {
        change(entries, random);
        pass(random, assertCharged(entries, "step " + step));
        if (random.nextInt(20) == 0) {
          entries.handOverHeldTime();
        }
      }
      entries.close();
      assertThat(charged).as("byte-milliseconds").isEqualTo(expected);
      entries.handOverHeldTime();
      assertThat(charged).as("once").isEqualTo(expected);
      for (int number = 0; number <= WRITERS; number++) {
        assertThat(of(number).bytesHere()).isZero();
        assertThat(of(number).entriesHere()).isZero();
      }
      assertThat(bytes.sum()).isZero();
    }
  }

  private void charge(int number, long byteMillis, long spilledByteMillis) {
    long _ = charged.merge(number == Writers.OWNER ? OWNER : number, byteMillis, Long::sum);
    assertThat(spilledByteMillis).isZero();
  }

  private void pass(Random random, Map<Integer, long[]> levels) {
    owned = random.nextInt(4) > 0;
    int millis = random.nextInt(100);
    nowNanos += millis * 1_000_000L;
    time.tick();
    if (owned) {
      levels.forEach(
          (number, sum) -> {
            if (sum[0] * millis > 0) {
              long _ = expected.merge(number, sum[0] * millis, Long::sum);
            }
          });
    }
  }

  private void change(NativeEntries entries, Random random) {
    String key = "key-" + random.nextInt(KEYS);
    int writer = random.nextInt(WRITERS + 1);
    String value = "v".repeat(random.nextInt(500));
    long record = entries.find(data(key));
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> {
        Attributes attributes = new Attributes();
        attributes.tenant = writer;
        long _ = entries.put(data(key), data(value), attributes);
      }
      case 4, 5 -> {
        if (record != 0) {
          long _ = entries.replaceValue(record, data(value), writer);
        }
      }
      case 6 -> {
        if (record != 0) {
          long _ = entries.setTenant(record, writer);
        }
      }
      case 7, 8 -> {
        if (record != 0) {
          entries.remove(record);
        }
      }
      case 9 -> {
        whose.changes++;
        whose.charged = random.nextInt(3) > 0;
        entries.recount();
      }
      case 10 -> {
        whose.changes++;
        if (writer != OWNER && writer != 0 && !whose.known.remove(writer)) {
          whose.known.add(writer);
        }
        entries.recount();
      }
      default -> {
        if (random.nextInt(10) == 0) {
          entries.clear();
        }
      }
    }
  }

  private Map<Integer, long[]> assertCharged(NativeEntries entries, String as) {
    Map<Integer, long[]> levels = new HashMap<>();
    long[] left = {entries.bytes(), entries.size()};
    for (long cursor = 0; cursor >= 0; ) {
      cursor =
          entries.scan(
              cursor,
              record -> {
                int number = Records.tenant(record);
                if (whose.charged && number != OWNER && whose.usage(number) != null) {
                  long[] sum = levels.computeIfAbsent(number, absent -> new long[2]);
                  sum[0] += Records.bytes(record);
                  sum[1]++;
                  left[0] -= Records.bytes(record);
                  left[1]--;
                }
              });
    }
    levels.put(OWNER, left);
    for (int number = 0; number <= WRITERS; number++) {
      long[] sum = levels.getOrDefault(number, new long[2]);
      assertThat(of(number).bytesHere()).as(as + ", bytes of " + number).isEqualTo(sum[0]);
      assertThat(of(number).entriesHere()).as(as + ", entries of " + number).isEqualTo(sum[1]);
    }
    return levels;
  }
}
