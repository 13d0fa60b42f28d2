package io.keyvalueserve.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Goal: who is told of the records that come and go knows at any time what each tenant has. Method:
 * random changes of a table, of all kinds, some of which the log refuses; after each of them the
 * sums are compared with what is in the table.
 */
class CountedRecordsTest {
  private static final int STEPS = 600;
  private static final int KEYS = 40;
  private static final int TENANTS = 4;

  private record Sum(long records, long bytes) {
    static final Sum NOTHING = new Sum(0, 0);

    Sum plus(int sign, long more) {
      return new Sum(records + sign, bytes + sign * more);
    }
  }

  private static final class Told implements Departures {
    private final Map<Integer, Sum> sums = new HashMap<>();
    private boolean refusing;

    @Override
    public void left(long position, int bytes) {}

    @Override
    public void leftDisk(long handle, int length) {}

    @Override
    public void arriving(long record) {
      if (refusing) {
        throw new IllegalArgumentException("refused");
      }
      Records.setLogPosition(record, 1);
    }

    @Override
    public void counted(long record, int sign) {
      add(sums, record, sign);
    }

    private static void add(Map<Integer, Sum> sums, long record, int sign) {
      int tenant = Records.tenant(record);
      assertThat(tenant).isNotZero();
      Sum sum = sums.getOrDefault(tenant, Sum.NOTHING).plus(sign, Records.bytes(record));
      if (sum.equals(Sum.NOTHING)) {
        sums.remove(tenant);
      } else {
        sums.put(tenant, sum);
      }
    }
  }

  @Property(tries = 40)
  void whatEachTenantHasIsKnown(@ForAll long seed) {
    Random random = new Random(seed);
    Told told = new Told();
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1)) {
      Table table = new Table(heap, 0, random.nextLong(), true, told);
      for (int step = 0; step < STEPS; step++) {
        told.refusing = random.nextInt(10) == 0;
        change(table, random, told.refusing);
        assertThat(told.sums).as("step " + step).isEqualTo(counted(table));
      }
      table.close();
      assertThat(told.sums).isEmpty();
    }
  }

  private static void change(Table table, Random random, boolean refused) {
    byte[] key = ("key-" + random.nextInt(KEYS)).getBytes(UTF_8);
    byte[] value = "v".repeat(random.nextInt(300)).getBytes(UTF_8);
    int tenant = random.nextInt(TENANTS);
    long record = table.find(key, 0, key.length, 1);
    Attributes attributes = new Attributes();
    attributes.tenant = tenant;
    switch (record == 0 ? 0 : random.nextInt(8)) {
      case 0 ->
          mayFail(
              refused,
              () -> table.put(key, 0, key.length, 1, 0, value, 0, value.length, 1, attributes));
      case 1 ->
          mayFail(
              refused,
              () ->
                  assertIsOf(
                      table.replaceValue(record, value, 0, value.length, 1, tenant), tenant));
      case 2 -> mayFail(refused, () -> assertIsOf(table.setTenant(record, tenant), tenant));
      case 3 -> {
        attributes.expiresAt = random.nextBoolean() ? 5 : Attributes.NEVER;
        boolean inPlace = Records.hasExpiryShapeFor(record, attributes);
        mayFail(refused && !inPlace, () -> table.setExpiry(record, attributes));
      }
      case 4 -> {
        if (Records.isSpilled(record)) {
          table.promote(record, new byte[Records.valueLength(record)], 0);
        } else {
          table.spill(record, 7);
        }
      }
      case 5 -> table.relocate(record);
      case 6 -> table.remove(record);
      default -> {
        if (random.nextInt(20) == 0) {
          table.clear();
        }
      }
    }
  }

  private static void mayFail(boolean fails, Runnable change) {
    if (fails) {
      assertThatThrownBy(change::run).isInstanceOf(IllegalArgumentException.class);
    } else {
      change.run();
    }
  }

  private static void assertIsOf(long record, int tenant) {
    assertThat(Records.tenant(record)).isEqualTo(tenant);
  }

  private static Map<Integer, Sum> counted(Table table) {
    Map<Integer, Sum> sums = new HashMap<>();
    for (long cursor = 0; cursor != Table.END; ) {
      cursor =
          table.scan(
              cursor,
              record -> {
                if (Records.tenant(record) != 0) {
                  Told.add(sums, record, 1);
                }
              });
    }
    return sums;
  }
}
