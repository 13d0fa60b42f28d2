package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.NativeHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: a record that went through a log comes back as it was, and nothing else comes in. */
class ImageTest {
  private static final byte[] KEY = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  private static final byte[] VALUE = new byte[77];

  private final NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1);
  private final Table table = new Table(heap, 0, 42, true, this::left);
  private final Table other = new Table(heap, 0, 4711, true, this::left);

  private final List<Long> left = new ArrayList<>();

  private void left(long position, int bytes) {
    left.add(position * 1_000 + bytes);
  }

  /** Each record that was in the log is told of once, when it goes, whatever takes it. */
  @Test
  void tellsOfWhatLeaves() {
    long first = put(table, 0, VALUE, attributes(0));
    table.remove(first);
    assertThat(left).isEmpty(); // was in no log
    first = put(table, 0, VALUE, attributes(0));
    int bytes = Records.bytes(first);
    Records.setLogPosition(first, 1);
    long second = table.replaceValue(first, VALUE, 0, VALUE.length, 2);
    assertThat(left).containsExactly(1_000L + bytes);
    Records.setLogPosition(second, 2);
    Records.setLogPosition(put(table, 0, VALUE, attributes(0)), 3);
    Records.setLogPosition(table.setExpiry(table.find(KEY, 0, KEY.length, 1), attributes(1)), 4);
    assertThat(left).containsExactly(1_000L + bytes, 2_000L + bytes, 3_000L + bytes);
    table.clear();
    assertThat(left).hasSize(4).last().isEqualTo(4_020L + bytes);
    Records.setLogPosition(put(table, 0, VALUE, attributes(0)), 5);
    table.close();
    assertThat(left).hasSize(5).last().isEqualTo(5_000L + bytes);
  }

  @AfterEach
  void leaveNothing() {
    table.close();
    other.close();
    heap.trim();
    assertThat(heap.blocks().blocks()).isZero();
    heap.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
  void bringsBackAllOfARecord(int options) {
    Attributes attributes = attributes(options);
    int extra = (options & 8) != 0 ? 99 : 0;
    long record = put(table, extra, VALUE, attributes);
    Records.setLogPosition(record, 0x1234_5678_9ABCL);
    assertThat(Records.isLogged(record)).isTrue();
    assertThat(Records.logPosition(record)).isEqualTo(0x1234_5678_9ABCL);

    long back = other.putImage(record, Records.bytes(record), 7);

    assertThat(other.size()).isEqualTo(1);
    assertThat(other.expiring()).isEqualTo(table.expiring());
    assertThat(other.find(KEY, 0, KEY.length, 1)).isEqualTo(back);
    assertThat(Records.logPosition(back)).isEqualTo(7);
    assertThat(Records.extra(back)).isEqualTo(extra);
    Records.setLogPosition(back, 0x1234_5678_9ABCL);
    assertThat(Memory.equal(record, back, Records.bytes(record))).isTrue();
    assertThat(new Attributes().of(back))
        .usingRecursiveComparison()
        .isEqualTo(new Attributes().of(record));
  }

  @Test
  void addsWhatIsNotThere() {
    long record = put(table, 0, VALUE, attributes(1));
    long key = Records.keyAddress(record);
    long hash = other.hash(key, KEY.length, 1);
    assertThat(other.find(hash, key, KEY.length, 1)).isZero();
    long back = other.addImage(hash, record, Records.bytes(record), 7);
    assertThat(other.find(hash, key, KEY.length, 1)).isEqualTo(back);
    assertThat(Records.logPosition(back)).isEqualTo(7);
    assertThat(Records.valueLength(back)).isEqualTo(VALUE.length);
    assertThat(other.expiring()).isEqualTo(1);
    assertThat(other.remove(back)).isTrue();

    long alone = other.addKey(hash, key, KEY.length, 1, 88, 9);
    assertThat(other.find(KEY, 0, KEY.length, 1)).isEqualTo(alone);
    assertThat(Records.version(alone)).isEqualTo(88);
    assertThat(Records.logPosition(alone)).isEqualTo(9);
    assertThat(Records.valueLength(alone)).isZero();
    assertThat(other.size()).isEqualTo(1);
  }

  @Test
  void takesThePlaceOfAnOlderRecord() {
    long record = put(table, 0, VALUE, attributes(1));
    put(other, 0, new byte[3], attributes(0));
    long back = other.putImage(record, Records.bytes(record), 7);
    assertThat(other.size()).isEqualTo(1);
    assertThat(other.expiring()).isEqualTo(1);
    assertThat(other.find(KEY, 0, KEY.length, 1)).isEqualTo(back);
    assertThat(Records.valueLength(back)).isEqualTo(VALUE.length);
  }

  @Test
  void findsAKeyThatIsInMemory() {
    long record = put(table, 0, VALUE, attributes(0));
    long key = Records.keyAddress(record);
    assertThat(table.find(key, KEY.length, 1)).isEqualTo(record);
    assertThat(table.find(key, KEY.length, 2)).isZero();
    assertThat(table.find(key, KEY.length - 1, 1)).isZero();
    assertThat(other.find(key, KEY.length, 1)).isZero();
    assertThat(Records.keyOffset(record)).isEqualTo((int) (key - record));
  }

  /** A change makes a new record, which is not in the log yet. */
  @Test
  void aChangedRecordHasRoomForItsPosition() {
    long record = put(table, 5, VALUE, attributes(4));
    Records.setLogPosition(record, 1);
    long changed = table.replaceValue(record, VALUE, 0, 3, 2);
    assertThat(Records.isLogged(changed)).isTrue();
    Records.setLogPosition(changed, 2);
    long expiring = table.setExpiry(changed, attributes(1));
    assertThat(Records.isLogged(expiring)).isTrue();
    Records.setLogPosition(expiring, 3);
    assertThat(Records.logPosition(expiring)).isEqualTo(3);
    assertThat(Records.extra(expiring)).isEqualTo(5);
    assertThat(Records.valueLength(expiring)).isEqualTo(3);
  }

  @Test
  void refusesWhatIsNoRecord() {
    long record = put(table, 0, VALUE, attributes(3));
    int bytes = Records.bytes(record);
    long image = heap.allocate(0, bytes);
    try {
      Random random = new Random(1);
      for (int round = 0; round < 20_000; round++) {
        Memory.copy(record, image, bytes);
        int at = random.nextInt(8); // the lengths, the forms and the options
        Memory.putByte(image + at, (byte) (Memory.getByte(image + at) ^ (1 << random.nextInt(8))));
        if (!Records.isImage(image, bytes)) {
          assertThatThrownBy(() -> other.putImage(image, bytes, 7))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("no record");
        } else {
          // Another form, or two options that take as many bytes: a record, if another one.
          assertThat(Records.bytes(image)).isEqualTo(bytes);
        }
      }
      assertThatThrownBy(() -> other.putImage(record, bytes - 1, 7))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> other.putImage(record, 3, 7))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(other.size()).isZero();
    } finally {
      heap.free(0, image, bytes);
    }
  }

  @Test
  void aTableWithoutALogHasNoPositionsAndTakesNoImages() {
    try (Table plain = new Table(heap, 0, 42)) {
      long record = put(plain, 0, VALUE, attributes(0));
      assertThat(Records.isLogged(record)).isFalse();
      assertThat(Records.logPosition(record)).isZero();
      assertThatThrownBy(() -> Records.setLogPosition(record, 1))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> plain.putImage(record, Records.bytes(record), 1))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> table.putImage(record, Records.bytes(record), 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** A table may begin to be logged at any time, and cease to be. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
  void recordsGetRoomForTheirPositionWhenTheTableBeginsToBeLogged(int options) {
    int extra = (options & 8) != 0 ? 99 : 0;
    try (Table changing = new Table(heap, 0, 42, false, this::left)) {
      long record = put(changing, extra, VALUE, attributes(options));
      Attributes before = new Attributes().of(record);
      changing.setLogged(true);
      assertThat(Records.isLogged(record)).isFalse();
      long made = changing.makeRoom(record);
      assertThat(changing.find(KEY, 0, KEY.length, 1)).isEqualTo(made).isNotEqualTo(record);
      assertThat(Records.isLogged(made)).isTrue();
      assertThat(changing.makeRoom(made)).isEqualTo(made);
      assertThat(new Attributes().of(made)).usingRecursiveComparison().isEqualTo(before);
      assertThat(Records.extra(made)).isEqualTo(extra);
      assertThat(Records.valueLength(made)).isEqualTo(VALUE.length);
      assertThat(changing.size()).isEqualTo(1);
      assertThat(changing.expiring()).isEqualTo(table.expiring() + (before.expires() ? 1 : 0));

      Records.setLogPosition(made, 7);
      changing.setLogged(false);
      long changed = changing.replaceValue(made, VALUE, 0, 3, 2);
      assertThat(Records.logPosition(changed)).isZero();
      assertThat(left).containsExactly(7_000L + Records.bytes(changed) + VALUE.length - 3);
    }
  }

  /** Whatever changes a record that was there before. */
  @Test
  void aChangeGivesARecordRoomToo() {
    try (Table changing = new Table(heap, 0, 42, false, this::left)) {
      long record = put(changing, 0, VALUE, attributes(1));
      changing.setLogged(true);
      assertThat(Records.isLogged(changing.replaceValue(record, VALUE, 0, 3, 2))).isTrue();
      changing.setLogged(false);
      record = put(changing, 0, VALUE, attributes(1));
      changing.setLogged(true);
      assertThat(Records.isLogged(changing.setExpiry(record, attributes(1)))).isTrue();
    }
    assertThat(left).isEmpty();
  }

  private static long put(Table table, int extra, byte[] value, Attributes attributes) {
    return table.put(KEY, 0, KEY.length, 1, extra, value, 0, value.length, 2, attributes);
  }

  private static Attributes attributes(int options) {
    Attributes attributes = new Attributes();
    attributes.version = 3;
    attributes.tenant = 17;
    attributes.frequency = 9;
    attributes.lastAccessSeconds = 1000;
    attributes.lastUpdate = 10_000;
    attributes.timeToLive = 5_000;
    if ((options & 1) != 0) {
      attributes.expiresAt = 15_000;
    }
    if ((options & 2) != 0) {
      attributes.maxIdle = 3_000;
    }
    attributes.statistics = (options & 4) != 0;
    attributes.creationSeconds = 11;
    attributes.hits = 14;
    return attributes;
  }
}
