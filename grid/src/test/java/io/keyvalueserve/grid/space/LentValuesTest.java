package io.keyvalueserve.grid.space;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.LentValue;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.memory.NativeHeap;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Goal: a value that is lent is one that the key had, and stays so until it is given back, while
 * others write the same key. Method: each value is one byte, repeated.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD) // what reads does not wait
class LentValuesTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final int LENT = 1_000;
  private static final int VALUE_BYTES = 20_000;
  private static final int READS = 3_000;
  private static final int HELD = 20;

  /** Takes what is lent, and copies what is not. */
  private static final class Sink implements DirectMap.ValueSink {
    private byte[] copied = {};
    private @Nullable LentValue lent;

    @Override
    public byte[] room(int length) {
      copied = new byte[length];
      return copied;
    }

    @Override
    public int offset() {
      return 0;
    }

    @Override
    public int leastLent() {
      return LENT;
    }

    @Override
    public void lend(LentValue value) {
      lent = value;
    }
  }

  private static byte[] keyAndValue(int of, int length) {
    byte[] bytes = Arrays.copyOf(KEY, KEY.length + length);
    Arrays.fill(bytes, KEY.length, bytes.length, (byte) of);
    return bytes;
  }

  private static void requireOneByteOnly(LentValue value) {
    ByteBuffer bytes = value.bytes();
    byte first = bytes.get(0);
    for (int i = 0; i < bytes.remaining(); i += 7) {
      assertThat(bytes.get(i)).isEqualTo(first);
    }
  }

  /** Of a map that there is: what has no partition yet is not written at once. */
  private static DirectMap map(TestGrid grid) {
    KeyMap map = grid.map(0, "acme", "orders");
    CompletableFuture<Outcome> first = new CompletableFuture<>();
    map.submit(List.of(KeyCommand.Write.of(KEY, KEY)), (index, outcome) -> first.complete(outcome));
    assertThat(first.join()).isNotInstanceOf(Outcome.Failure.class);
    return map.direct();
  }

  @Test
  void areAsTheyWereWhileOthersWrite() throws Exception {
    assumeThat(TestGrid.FAST_PATH.direct()).isTrue();
    try (TestGrid grid = new TestGrid(1, 7)) {
      DirectMap map = map(grid);
      NativeHeap heap = grid.maps(0).heap();
      AtomicBoolean done = new AtomicBoolean();
      CompletableFuture<Integer> writer =
          CompletableFuture.supplyAsync(() -> writeUntil(map, done));
      Random random = new Random(1);
      List<LentValue> held = new ArrayList<>();
      try {
        for (int lent = 0; lent < READS; ) {
          LentValue value = lent(map);
          if (value == null) { // none is there, or the writer, who may wait for a core, has the key
            Thread.onSpinWait();
            continue;
          }
          lent++;
          requireOneByteOnly(value);
          held.add(value);
          if (held.size() > HELD) {
            LentValue oldest = held.remove(random.nextInt(held.size()));
            requireOneByteOnly(oldest);
            oldest.giveBack();
          }
        }
      } finally {
        done.set(true);
      }
      assertThat(writer.get()).isPositive();
      held.forEach(LentValuesTest::requireOneByteOnly);
      held.forEach(LentValue::giveBack);
      assertThat(heap.pins()).isZero();
    }
  }

  private static int writeUntil(DirectMap map, AtomicBoolean done) {
    Random random = new Random(2);
    int written = 0;
    while (!done.get()) {
      if (random.nextInt(50) == 0) {
        Outcome _ = map.execute(new KeyCommand.Remove(KEY, false));
      } else {
        byte[] bytes = keyAndValue(random.nextInt(100), LENT + random.nextInt(VALUE_BYTES));
        int length = bytes.length - KEY.length;
        written += map.write(bytes, 0, KEY.length, KEY.length, length, Expiry.NONE) ? 1 : 0;
      }
    }
    return written;
  }

  @Test
  void outliveTheirEntry() {
    assumeThat(TestGrid.FAST_PATH.direct()).isTrue();
    try (TestGrid grid = new TestGrid(1, 7)) {
      DirectMap map = map(grid);
      byte[] bytes = keyAndValue(5, VALUE_BYTES);
      // each may be declined, or copied instead, while the grid itself is busy with the partition
      await().until(() -> map.write(bytes, 0, KEY.length, KEY.length, VALUE_BYTES, Expiry.NONE));
      LentValue value = await().until(() -> lent(map), Objects::nonNull);
      await().until(() -> map.execute(new KeyCommand.Remove(KEY, false)), Objects::nonNull);
      await().until(() -> map.read(KEY, 0, KEY.length, new Sink()) == DirectMap.MISSING);
      assertThat(value.bytes().remaining()).isEqualTo(VALUE_BYTES);
      requireOneByteOnly(value);
      value.giveBack();
      assertThat(grid.maps(0).heap().pins()).isZero();
    }
  }

  private static @Nullable LentValue lent(DirectMap map) {
    Sink sink = new Sink();
    int length = map.read(KEY, 0, KEY.length, sink);
    LentValue value = sink.lent;
    if (value != null && length < 0) { // void, but to be given back all the same
      value.giveBack();
      return null;
    }
    return value;
  }
}
