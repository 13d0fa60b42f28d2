package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Goal: looking ahead reaches the right records, and needs none to be there. */
class LookaheadTest {
  private static final int KEYS = 5_000;

  private final NativeHeap heap = NativeHeap.open(HeapConfig.dram(64 << 20), 1);
  private final Table table = new Table(heap, 0, 42);
  private final Lookahead lookahead = new Lookahead();

  @AfterEach
  void close() {
    table.close();
    heap.close();
  }

  /** In chains of full buckets, too. */
  @Test
  void reachesTheRecordThatALookupFinds() {
    for (int i = 0; i < KEYS; i++) {
      put(i, 100);
    }
    List<Integer> missed = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      byte[] key = key(i);
      long hash = table.hash(key, 0, key.length, 1);
      // Two keys of a bucket may have one tag: then it may be the other's.
      if (Index.likely(table.bucketOf(hash), hash) != table.find(key, 0, key.length, 1)) {
        missed.add(i);
      }
    }
    assertThat(missed).hasSizeLessThan(KEYS / 1_000);
  }

  @Test
  void readsWhatWasAddedOnce() {
    put(1, 10);
    add(1);
    lookahead.fetch();
    long once = lookahead.seen();
    assertThat(once).isNotZero();
    lookahead.fetch();
    assertThat(lookahead.seen()).isEqualTo(once);
    add(1);
    lookahead.fetch();
    assertThat(lookahead.seen()).isEqualTo(2 * once);
    byte[] key = key(1);
    long before = lookahead.seen();
    long there = Records.keyAddress(table.find(key, 0, key.length, 1));
    lookahead.add(table, there, key.length, 1);
    lookahead.fetchKeys();
    assertThat(lookahead.seen()).isGreaterThan(before);
    long keys = lookahead.seen();
    lookahead.fetchKeys();
    assertThat(lookahead.seen()).isEqualTo(keys);
  }

  @Test
  void takesKeysThatAreNotThereAndTablesThatAreEmptyOrClosed() {
    put(1, 300);
    add(1);
    add(2);
    lookahead.fetch();
    try (Table empty = new Table(heap, 0, 42)) {
      lookahead.add(empty, key(1), 0, key(1).length, 1);
      lookahead.fetch();
    }
    Table closed = new Table(heap, 0, 42);
    closed.close();
    lookahead.add(closed, key(1), 0, key(1).length, 1);
    lookahead.fetch();
    assertThat(lookahead.seen()).isNotZero();
  }

  @Test
  void isFullAfterSoManyKeys() {
    put(1, 0);
    for (int i = 0; i < Lookahead.MOST_KEYS; i++) {
      assertThat(lookahead.isFull()).isFalse();
      add(1);
    }
    assertThat(lookahead.isFull()).isTrue();
    lookahead.fetch();
    assertThat(lookahead.isFull()).isFalse();
  }

  private void add(int i) {
    byte[] key = key(i);
    lookahead.add(table, key, 0, key.length, 1);
  }

  private void put(int i, int valueLength) {
    byte[] key = key(i);
    long _ =
        table.put(
            key, 0, key.length, 1, 0, new byte[valueLength], 0, valueLength, 2, new Attributes());
  }

  private static byte[] key(int i) {
    return ("key:" + i).getBytes(StandardCharsets.US_ASCII);
  }
}
