package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.NativeHeap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: a stub has all of its record but the value, and whoever holds the value is told once. */
class SpilledRecordTest {
  private static final byte[] KEY = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  private static final byte[] VALUE = new byte[777];
  private static final long HANDLE = 0x9234_5678_9ABC_DEF1L;

  private final NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1);
  private final List<String> gone = new ArrayList<>();
  private final Table table =
      new Table(
          heap,
          0,
          42,
          true,
          new Departures() {
            @Override
            public void left(long position, int bytes) {
              gone.add("log " + position + " " + bytes);
            }

            @Override
            public void leftDisk(long handle, int length) {
              gone.add("disk " + Long.toHexString(handle) + " " + length);
            }
          });

  @AfterEach
  void leaveNothing() {
    table.close();
    heap.trim();
    assertThat(heap.blocks().blocks()).isZero();
    heap.close();
  }

  private long put(int options) {
    for (int i = 0; i < VALUE.length; i++) {
      VALUE[i] = (byte) (i * 31 + options);
    }
    int extra = (options & 8) != 0 ? 99 : 0;
    return table.put(KEY, 0, KEY.length, 1, extra, VALUE, 0, VALUE.length, 2, attributes(options));
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

  private static final String DISK = "disk 923456789abcdef1 777";

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
  void aStubIsItsRecordButForTheValueAndBackItIsTheSame(int options) {
    long record = put(options);
    Records.setLogPosition(record, 55);
    int bytes = Records.bytes(record);
    byte[] image = new byte[bytes];
    Memory.copy(record, image, 0, bytes);
    long tableBytes = table.bytes();
    Attributes before = new Attributes().of(record);

    long stub = table.spill(record, HANDLE);

    assertThat(table.find(KEY, 0, KEY.length, 1)).isEqualTo(stub);
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.expiring()).isEqualTo(options & 1);
    assertThat(table.bytes()).isEqualTo(tableBytes - VALUE.length + 8);
    assertThat(Records.isSpilled(stub)).isTrue();
    assertThat(Records.spillHandle(stub)).isEqualTo(HANDLE);
    assertThat(Records.bytes(stub)).isEqualTo(bytes - VALUE.length + 8);
    assertThat(Records.bytesWithValue(stub)).isEqualTo(bytes);
    assertThat(Records.valueLength(stub)).isEqualTo(VALUE.length);
    assertThat(Records.valueForm(stub)).isEqualTo(2);
    assertThat(Records.keyForm(stub)).isEqualTo(1);
    assertThat(Records.extra(stub)).isEqualTo((options & 8) != 0 ? 99 : 0);
    assertThat(Records.logPosition(stub)).isEqualTo(55);
    assertThat(new Attributes().of(stub)).usingRecursiveComparison().isEqualTo(before);
    assertThat(Records.isImage(stub, Records.bytes(stub))).isFalse();
    assertThat(gone).isEmpty();

    long back = table.promote(stub, VALUE, 0);

    assertThat(Memory.equal(back, image, 0, bytes)).isTrue();
    assertThat(table.bytes()).isEqualTo(tableBytes);
    assertThat(gone).containsExactly(DISK);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 5, 7, 8, 13, 15})
  void aNewExpiryOrRoomForTheLogLeavesAStubAStub(int options) {
    table.setLogged(false);
    long stub = table.spill(put(options), HANDLE);
    table.setLogged(true);
    long roomy = table.makeRoom(stub);
    assertThat(roomy).isNotEqualTo(stub);
    assertThat(Records.isLogged(roomy)).isTrue();
    Records.setLogPosition(roomy, 7);
    int bytes = Records.bytesWithValue(roomy);
    Attributes wanted = attributes(3);
    wanted.expiresAt = 99_999;
    long expiring = table.setExpiry(roomy, wanted);
    assertThat(Records.expiresAt(expiring)).isEqualTo(99_999);
    assertThat(Records.spillHandle(expiring)).isEqualTo(HANDLE);
    assertThat(Records.valueLength(expiring)).isEqualTo(VALUE.length);
    assertThat(Records.tenant(expiring)).isEqualTo(17);
    if (expiring == roomy) {
      assertThat(gone).isEmpty();
    } else {
      assertThat(gone).containsExactly("log 7 " + bytes);
    }
    gone.clear();
    Records.forgetLogPosition(expiring);
    assertThat(table.remove(expiring)).isTrue();
    assertThat(gone).containsExactly(DISK);
  }

  @Test
  void whoeverHoldsTheValueIsToldWhateverTakesTheStub() {
    table.replaceValue(table.spill(put(1), HANDLE), VALUE, 0, 5, 1);
    assertThat(gone).containsExactly(DISK);
    long record = table.find(KEY, 0, KEY.length, 1);
    assertThat(Records.isSpilled(record)).isFalse();
    assertThat(Records.valueLength(record)).isEqualTo(5);
    put(0);
    assertThat(gone).hasSize(1);
    spillAgain();
    put(0);
    assertThat(gone).hasSize(2).last().isEqualTo(DISK);
    table.remove(spillAgain());
    assertThat(gone).hasSize(3).last().isEqualTo(DISK);
    put(0);
    spillAgain();
    table.clear();
    assertThat(gone).hasSize(4).last().isEqualTo(DISK);
    put(0);
    Records.setLogPosition(spillAgain(), 9);
    table.close();
    assertThat(gone).hasSize(6).endsWith("log 9 " + (28 + KEY.length + VALUE.length), DISK);
  }

  private long spillAgain() {
    return table.spill(table.find(KEY, 0, KEY.length, 1), HANDLE);
  }

  @Test
  void nobodyTakesAHandleForAValue() {
    long record = put(0);
    assertThatThrownBy(() -> Records.spillHandle(record)).hasMessageContaining("is not spilled");
    assertThatThrownBy(() -> table.promote(record, VALUE, 0))
        .hasMessageContaining("is not spilled");
    long stub = table.spill(record, HANDLE);
    assertThatThrownBy(() -> Records.valueAddress(stub))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is spilled: read it back first");
    assertThatThrownBy(() -> Records.copyValue(stub, new byte[VALUE.length], 0))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> table.spill(stub, HANDLE)).hasMessageContaining("spilled already");
    assertThatThrownBy(() -> table.promote(stub, VALUE, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(table.find(KEY, 0, KEY.length, 1)).isEqualTo(stub);
    assertThat(gone).isEmpty();
  }

  /** A reader that found the record reads its value on, until it closes its guard. */
  @Test
  void whoFoundTheRecordBeforeKeepsItsValue() {
    long record = put(0);
    int guard = heap.epochs().enter();
    try {
      long stub = table.spill(record, HANDLE);
      byte[] value = new byte[VALUE.length];
      Records.copyValue(record, value, 0);
      assertThat(value).isEqualTo(VALUE);
      table.promote(stub, VALUE, 0);
      assertThat(Records.spillHandle(stub)).isEqualTo(HANDLE);
    } finally {
      heap.epochs().exit(guard);
    }
  }
}
