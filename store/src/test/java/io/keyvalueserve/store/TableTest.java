package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.SlabReport;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: the corners of a table that a random walk hardly meets. */
class TextTableTest {
  private static final byte[] VALUE = new byte[40];

  private final NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1);
  private final Table table = new Table(heap, 0, 42);

  @AfterEach
  void leaveNothing() {
    table.close();
    heap.trim();
    assertThat(heap.blocks()).isEqualTo(new SlabReport(0, 0, 0, 0, 0));
    heap.close();
  }

  @Test
  void whatWasRemovedOneByOneLeavesNoIndexBehind() {
    long empty = table.bytes();
    for (int i = 0; i < 20_000; i++) {
      put(i);
    }
    for (int i = 0; i < 20_000; i++) {
      assertThat(table.remove(find(i))).isTrue();
    }
    assertThat(table.size()).isZero();
    // What stays is the directory: 8 bytes for each segment of 16 buckets that there ever were.
    assertThat(table.bytes() - empty).isLessThanOrEqualTo(8 * 512);
  }

  @Test
  void whoVisitsMayScanTheSameTable() {
    for (int i = 0; i < 200; i++) {
      put(i);
    }
    List<Long> alone = scan(at -> {});
    List<Long> nested = scan(at -> assertThat(scan(inner -> {})).isEqualTo(alone));
    assertThat(nested).isEqualTo(alone).hasSize(200).doesNotHaveDuplicates();
  }

  private List<Long> scan(RecordVisitor also) {
    List<Long> seen = new ArrayList<>();
    for (long cursor = 0; cursor != Table.END; ) {
      cursor =
          table.scan(
              cursor,
              at -> {
                also.visit(at);
                seen.add(at);
              });
    }
    return seen;
  }

  @Test
  void whatWasReservedIsThereUntilToldOtherwise() {
    long empty = table.bytes();
    table.reserve(10_000);
    long reserved = table.bytes();
    assertThat(reserved - empty).isGreaterThan(10_000 / 5 * 64);
    long record = put(0);
    long each = table.bytes() - reserved;
    for (int i = 1; i < 1_000; i++) {
      put(i);
    }
    assertThat(table.bytes()).isEqualTo(reserved + 1_000 * each);
    assertThat(table.remove(record)).isTrue();
    assertThat(table.bytes()).isEqualTo(reserved + 999 * each);
    for (int i = 1_000; i < 20_000; i++) {
      put(i);
    }
    for (int i = 1; i < 20_000; i++) {
      assertThat(table.remove(find(i))).isTrue();
    }
    assertThat(table.bytes()).isGreaterThanOrEqualTo(reserved);
    table.reserve(0);
    for (int i = 0; i < 1_000; i++) {
      assertThat(table.remove(put(i))).isTrue();
    }
    assertThat(table.bytes() - empty).isLessThanOrEqualTo(8 * 512);
  }

  @Test
  void whatWasReservedForTooManyIsGivenBackAndNothingIsLost() {
    for (int i = 0; i < 1_000; i++) {
      put(i);
    }
    table.fit();
    long before = table.bytes();
    table.reserve(50_000);
    assertThat(table.bytes() - before).isGreaterThan(50_000 / 6 * 64);
    table.fit();
    assertThat(table.bytes() - before).isLessThan(16 << 10);
    for (int i = 0; i < 1_000; i++) {
      assertThat(find(i)).isNotZero();
    }
    for (int i = 1_000; i < 5_000; i++) {
      put(i);
    }
    for (int i = 0; i < 5_000; i++) {
      assertThat(table.remove(find(i))).isTrue();
    }
    table.fit();
    assertThat(table.size()).isZero();
  }

  @Test
  void whatIsReservedWithoutMemoryIsNotThereAndHarmsNothing() {
    put(1);
    table.reserve(Integer.MAX_VALUE);
    assertThat(find(1)).isNotZero();
    table.reserve(0);
    assertThat(find(1)).isNotZero();
  }

  /** A record is given back only when no reader who comes now can find it. */
  @Test
  void whatClearingHandsOverCannotBeFoundAnyMore() {
    Index index = new Index(heap, 0, 42);
    List<Long> records = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      long record = put(i);
      records.add(record);
      index.insert(Records.hash(record, 42), record);
    }
    int[] handed = {0};
    index.clear(
        record -> {
          handed[0]++;
          byte[] key = new byte[Records.keyLength(record)];
          Records.copyKey(record, key, 0);
          assertThat(index.find(key, 0, key.length, 1, Records.hash(record, 42))).isZero();
          Index.Found found = new Index.Found();
          index.scan(0, found);
          for (int i = 0; i < found.count(); i++) {
            assertThat(found.record(i)).isNotEqualTo(record);
          }
        });
    assertThat(handed[0]).isEqualTo(records.size());
    index.close();
    assertThat(index.bytes()).isZero();
  }

  @Test
  void mistakesOfTheCallerChangeNothing() {
    byte[] key = key(1);
    long record = put(1);
    SlabReport before = heap.blocks();
    Attributes plain = new Attributes();
    assertThatThrownBy(() -> table.put(key, 0, key.length, 1, 0, VALUE, 0, 41, 1, plain))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> table.put(key, 0, key.length, 1, 0, VALUE, 30, 11, 1, plain))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> table.put(key, 0, key.length, 1, 0, VALUE, 0, -1, 1, plain))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> table.put(key, 0, -1, 1, 0, VALUE, 0, 1, 1, plain))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> table.put(key, 0, 1, 4, 0, VALUE, 0, 1, 1, plain))
        .hasMessageContaining("form=4");
    assertThatThrownBy(() -> table.put(key, 0, 1, 1, 0, VALUE, 0, 1, 4, plain))
        .hasMessageContaining("form=4");
    assertThatThrownBy(() -> table.replaceValue(record, VALUE, 0, 1, -1))
        .hasMessageContaining("form=-1");
    assertThatThrownBy(() -> table.replaceValue(record, VALUE, 1, 40, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    byte[] tooLong = new byte[Records.MOST_KEY_BYTES + 1];
    assertThatThrownBy(() -> table.put(tooLong, 0, tooLong.length, 1, 0, VALUE, 0, 1, 1, plain))
        .hasMessageContaining("length=4194304");
    assertThatThrownBy(() -> table.scan(1L << 32, at -> {})).hasMessageContaining("cursor=");
    assertThat(heap.blocks()).isEqualTo(before);
    assertThat(table.size()).isEqualTo(1);
    assertThat(find(1)).isEqualTo(record);
  }

  @Test
  void aRecordThatIsGoneIsNoRecordOfTheTable() {
    int guard = heap.epochs().enter();
    long old = put(1);
    long present = put(1);
    assertThat(present).isNotEqualTo(old);
    assertThat(table.remove(old)).isFalse();
    assertThatThrownBy(() -> table.replaceValue(old, VALUE, 0, 5, 1))
        .hasMessageContaining("replaced or removed");
    assertThat(find(1)).isEqualTo(present);
    assertThat(Records.valueLength(old)).isEqualTo(VALUE.length); // still readable
    heap.epochs().exit(guard);
    heap.trim();
    assertThatThrownBy(() -> table.replaceValue(old, VALUE, 0, 5, 1))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aClosedTableIsEmptyAndTakesNothing() {
    for (int i = 0; i < 1_000; i++) {
      put(i);
    }
    int guard = heap.epochs().enter();
    long record = find(7);
    table.close();
    table.close();
    assertThat(Records.valueLength(record)).isEqualTo(VALUE.length);
    heap.epochs().exit(guard);
    assertThat(find(7)).isZero();
    assertThat(table.size()).isZero();
    assertThat(table.bytes()).isZero();
    assertThat(table.scan(0, at -> {})).isEqualTo(Table.END);
    table.sample(5, at -> {});
    assertThatThrownBy(() -> put(1)).hasMessage("the table is closed");
  }

  @Test
  void fillingAndClosingAHundredTimesLeavesNothing() {
    for (int round = 0; round < 100; round++) {
      try (Table other = new Table(heap, 0, round)) {
        for (int i = 0; i < 300; i++) {
          byte[] key = key(i);
          other.put(key, 0, key.length, 1, 0, VALUE, 0, i % 40, 1, new Attributes());
        }
        if (round % 2 == 0) {
          other.clear();
          assertThat(other.size()).isZero();
        }
      }
    }
    table.close();
    heap.trim();
    assertThat(heap.blocks().held()).isZero();
  }

  private long put(int i) {
    byte[] key = key(i);
    return table.put(key, 0, key.length, 1, 0, VALUE, 0, VALUE.length, 1, new Attributes());
  }

  private long find(int i) {
    byte[] key = key(i);
    return table.find(key, 0, key.length, 1);
  }

  private static byte[] key(int i) {
    return new byte[] {(byte) i, (byte) (i >>> 8), (byte) (i >>> 16), 9};
  }
}
