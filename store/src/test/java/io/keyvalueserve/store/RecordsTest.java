package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.NativeHeap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: what is put into a record comes out of it, whatever options it has, from fixed places. */
class RecordsTest {
  private static final int OPTIONS = 16;
  private static final byte[] KEY = {1, 2, 3, 4, 5, 6, 7};
  private static final byte[] VALUE = {-1, -2, -3, -4, -5, -6, -7, -8, -9};

  private final NativeHeap heap = NativeHeap.open(HeapConfig.dram(8 << 20), 1);
  private final Table table = new Table(heap, 0, 42);

  @AfterEach
  void leaveNothing() {
    table.close();
    heap.trim();
    assertThat(heap.blocks().held()).isZero();
    heap.close();
  }

  @Test
  void everyCombinationOfOptionsAndFormsRoundTrips() {
    for (int options = 0; options < OPTIONS; options++) {
      for (int forms = 0; forms < 16; forms++) {
        int keyForm = forms & 3;
        int valueForm = forms >>> 2;
        Attributes attributes = attributes(options);
        long record = put(options, keyForm, valueForm, attributes);
        requireSame(record, options, keyForm, valueForm, attributes);
        byte[] other = {9};
        long next = table.replaceValue(record, other, 0, 1, valueForm ^ 1);
        assertThat(Records.valueLength(next)).isEqualTo(1);
        assertThat(Memory.getByte(Records.valueAddress(next))).isEqualTo((byte) 9);
        next = table.replaceValue(next, VALUE, 0, VALUE.length, valueForm);
        requireSame(next, options, keyForm, valueForm, attributes);
      }
    }
  }

  @Test
  void everyExpiryReplacesEveryOther() {
    for (int from = 0; from < OPTIONS; from++) {
      for (int to = 0; to < OPTIONS; to++) {
        Attributes before = attributes(from);
        Attributes wanted = attributes(to);
        wanted.expiresAt = to % 2 == 0 ? Attributes.NEVER : 777_777;
        long record = table.setExpiry(put(from, 1, 2, before), wanted);
        before.expiresAt = wanted.expiresAt;
        before.lastUpdate = wanted.lastUpdate;
        before.timeToLive = wanted.timeToLive;
        before.maxIdle = wanted.maxIdle;
        requireSame(record, from, 1, 2, before);
        assertThat(table.expiring()).isEqualTo(wanted.expires() ? 1 : 0);
      }
    }
  }

  private long put(int options, int keyForm, int valueForm, Attributes attributes) {
    return table.put(
        KEY, 0, KEY.length, keyForm, extra(options), VALUE, 0, VALUE.length, valueForm, attributes);
  }

  private static int extra(int options) {
    return (options & 8) != 0 ? -77 : 0;
  }

  private static Attributes attributes(int options) {
    Attributes attributes = new Attributes();
    attributes.version = 0x89ABCDEF;
    attributes.tenant = Records.MOST_TENANT;
    attributes.frequency = 200;
    attributes.lastAccessSeconds = -5;
    attributes.lastUpdate = 123_456_789_012L;
    attributes.timeToLive = 5_000;
    if ((options & 1) != 0) {
      attributes.expiresAt = attributes.lastUpdate + attributes.timeToLive;
    }
    if ((options & 2) != 0) {
      attributes.maxIdle = 3_000;
    }
    attributes.statistics = (options & 4) != 0;
    attributes.creationSeconds = 11;
    attributes.lastUpdateSeconds = 12;
    attributes.lastStoredSeconds = 13;
    attributes.hits = 14;
    return attributes;
  }

  private static void requireSame(
      long record, int options, int keyForm, int valueForm, Attributes wanted) {
    byte[] key = new byte[KEY.length];
    Records.copyKey(record, key, 0);
    assertThat(key).isEqualTo(KEY);
    byte[] value = new byte[VALUE.length + 2];
    Records.copyValue(record, value, 1);
    assertThat(value).containsSubsequence(VALUE);
    assertThat(Records.keyLength(record)).isEqualTo(KEY.length);
    assertThat(Records.valueLength(record)).isEqualTo(VALUE.length);
    assertThat(Records.keyForm(record)).isEqualTo(keyForm);
    assertThat(Records.valueForm(record)).isEqualTo(valueForm);
    assertThat(Records.extra(record)).isEqualTo(extra(options));
    assertThat(Records.bytes(record))
        .isEqualTo(Records.keyAddress(record) - record + KEY.length + VALUE.length);
    boolean expires = wanted.expires();
    Attributes got = new Attributes().of(record);
    assertThat(got.version).isEqualTo(wanted.version);
    assertThat(got.tenant).isEqualTo(wanted.tenant);
    assertThat(got.frequency).isEqualTo(wanted.frequency);
    assertThat(got.lastAccessSeconds).isEqualTo(wanted.lastAccessSeconds);
    assertThat(got.expiresAt).isEqualTo(wanted.expiresAt);
    assertThat(got.lastUpdate).isEqualTo(expires ? wanted.lastUpdate : 0);
    assertThat(got.maxIdle).isEqualTo(wanted.idles() ? wanted.maxIdle : Attributes.NEVER);
    if (!expires) {
      assertThat(got.timeToLive).isEqualTo(Attributes.NEVER);
    } else if (wanted.idles()) {
      assertThat(got.timeToLive).isEqualTo(wanted.timeToLive);
    }
    assertThat(got.statistics).isEqualTo(wanted.statistics);
    assertThat(got.creationSeconds).isEqualTo(wanted.statistics ? 11 : 0);
    assertThat(got.lastUpdateSeconds).isEqualTo(wanted.statistics ? 12 : 0);
    assertThat(got.lastStoredSeconds).isEqualTo(wanted.statistics ? 13 : 0);
    assertThat(got.hits).isEqualTo(wanted.statistics ? 14 : 0);
  }

  /** Records outlive a version of the program where memory is a file: offsets are a promise. */
  @ParameterizedTest
  @CsvSource({
    "0, 20", "1, 40", "2, 20", "3, 56", "4, 36", "5, 56", "7, 72", "8, 24", "9, 44", "11, 60",
    "12, 40", "13, 60", "15, 76"
  })
  void theLayoutStays(int options, int keyOffset) {
    Attributes attributes = attributes(options);
    long record = put(options, 3, 2, attributes);
    assertThat(Records.keyAddress(record) - record).isEqualTo(keyOffset);
    assertThat(Records.valueAddress(record) - record).isEqualTo(keyOffset + KEY.length);
    assertThat(Memory.getInt(record)).isEqualTo(VALUE.length);
    assertThat(Memory.getInt(record + 4) & 0x03FF_FFFF)
        .isEqualTo(KEY.length | (3 << 22) | (2 << 24));
    int flags = (options & 1) == 0 ? options & ~2 : options; // no idle time without an expiry
    assertThat(Memory.getInt(record + 4) >>> 26).isEqualTo(flags);
    assertThat(Memory.getInt(record + 8)).isEqualTo(0x89ABCDEF);
    assertThat(Memory.getInt(record + 12)).isEqualTo((200 << 24) | Records.MOST_TENANT);
    assertThat(Memory.getInt(record + 16)).isEqualTo(-5);
    if ((options & 1) != 0) {
      assertThat(Memory.getLong(record + 24)).isEqualTo(attributes.expiresAt);
      assertThat(Memory.getLong(record + 32)).isEqualTo(attributes.lastUpdate);
    }
    if ((options & 3) == 3) {
      assertThat(Memory.getLong(record + 40)).isEqualTo(5_000);
      assertThat(Memory.getLong(record + 48)).isEqualTo(3_000);
    }
    int extra = (options & 8) != 0 ? 4 : 0;
    if ((options & 4) != 0) {
      for (int i = 0; i < 4; i++) {
        assertThat(Memory.getInt(record + keyOffset - extra - 16 + 4L * i)).isEqualTo(11 + i);
      }
    }
    if (extra != 0) {
      assertThat(Memory.getInt(record + keyOffset - 4)).isEqualTo(-77);
    }
  }

  @Test
  void usesSaturateAndLeaveTheTenantAlone() {
    Attributes attributes = attributes(0);
    attributes.frequency = 0;
    long record = put(0, 0, 0, attributes);
    for (int i = 0; i < 1_000; i++) {
      assertThat(Records.touch(record, i)).isTrue();
    }
    assertThat(Records.frequency(record)).isBetween(3, 60);
    Records.setFrequency(record, 1_000);
    boolean _ = Records.touch(record, 7);
    assertThat(Records.touch(record, 7)).isFalse();
    assertThat(Records.frequency(record)).isEqualTo(255);
    assertThat(Records.tenant(record)).isEqualTo(Records.MOST_TENANT);
    assertThat(Records.lastAccessSeconds(record)).isEqualTo(7);
  }

  @Test
  void expiryMovesOnlyWhereThereIsOne() {
    long record = put(0, 0, 0, attributes(0));
    assertThatThrownBy(() -> Records.setExpiresAt(record, 5))
        .isInstanceOf(IllegalStateException.class);
    long expiring = put(1, 0, 0, attributes(1));
    Records.setExpiresAt(expiring, 5);
    assertThat(Records.expiresAt(expiring)).isEqualTo(5);
    assertThatThrownBy(() -> Records.setExpiresAt(expiring, Attributes.NEVER))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void emptyKeysAndValuesAndTheLongestKeyAreKeys() {
    byte[] longest = new byte[Records.MOST_KEY_BYTES];
    longest[longest.length - 1] = 1;
    Attributes plain = new Attributes();
    long a = table.put(longest, 0, longest.length, 0, 0, VALUE, 0, 0, 0, plain);
    long b = table.put(longest, 0, 0, 0, 0, VALUE, 0, 0, 0, plain);
    assertThat(table.find(longest, 0, longest.length, 0)).isEqualTo(a);
    assertThat(table.find(KEY, 3, 0, 0)).isEqualTo(b);
    assertThat(Records.keyLength(a)).isEqualTo(longest.length);
    assertThat(Records.valueLength(a) + Records.valueLength(b) + Records.keyLength(b)).isZero();
  }
}
