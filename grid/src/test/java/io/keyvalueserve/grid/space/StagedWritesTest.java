package io.keyvalueserve.grid.space;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.StagedValue;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Goal: a value that was received where it stays is what any client reads, and is declined where
 * its write would not be a write and nothing else.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StagedWritesTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final int BYTES = 300_000;

  private TestGrid grid;
  private IMap<String, Object> orders;

  @BeforeAll
  void start() {
    assumeThat(TestGrid.FAST_PATH.direct()).isTrue();
    grid = new TestGrid(1, 7);
    orders = grid.member(0).getMap("acme/orders");
    submit("orders", KeyCommand.Write.of(KEY, KEY));
    submit("others", KeyCommand.Write.of(KEY, KEY));
  }

  @AfterAll
  void close() {
    if (TestGrid.FAST_PATH.direct()) {
      assertThat(grid.maps(0).heap().pins()).isZero();
      grid.close();
    }
  }

  private KeyMap map(String name) {
    return grid.map(0, "acme", name);
  }

  private Outcome submit(String map, KeyCommand command) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    map(map).submit(List.of(command), (index, result) -> outcome.complete(result));
    assertThat(outcome.join()).isNotInstanceOf(Outcome.Failure.class);
    return outcome.join();
  }

  /** Room may be declined while the grid itself is busy with the partition. */
  private StagedValue stage(boolean expires) {
    return soon().until(() -> map("orders").direct().stage(KEY, BYTES, expires), Objects::nonNull);
  }

  private static ConditionFactory soon() {
    return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
  }

  private static byte[] fill(StagedValue value, int with) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) with);
    value.room().put(bytes);
    return bytes;
  }

  @Test
  void becomeTheValueOfTheirKey() {
    DirectMap direct = map("orders").direct();
    StagedValue first = stage(false);
    StagedValue second = stage(false);
    byte[] before = fill(first, 1);
    byte[] after = fill(second, 2);
    soon().until(() -> direct.write(KEY, second, Expiry.NONE));
    assertThat(orders.get("key")).isEqualTo(after);
    soon().until(() -> direct.write(KEY, first, Expiry.NONE));
    assertThat(orders.get("key")).isEqualTo(before);
    assertThat(submit("orders", new KeyCommand.Read(KEY)))
        .isInstanceOfSatisfying(
            Outcome.Entry.class, entry -> assertThat(entry.value()).isEqualTo(before));
    assertThat(direct.write(KEY, first, Expiry.NONE)).isFalse(); // it is used up
    first.discard();
    assertThat(orders.get("key")).isEqualTo(before);
    assertThat(orders.getEntryView("key").getVersion()).isPositive();
  }

  @Test
  void expireIfTheyWereMadeTo() {
    DirectMap direct = map("orders").direct();
    StagedValue value = stage(true);
    byte[] bytes = fill(value, 3);
    long at = System.currentTimeMillis() + 1_000_000;
    assertThat(direct.write(KEY, value, Expiry.NONE)).isFalse();
    assertThat(direct.write(KEY, value, Expiry.KEEP)).isFalse();
    assertThat(direct.write(KEY, value, 1)).isFalse(); // has passed
    soon().until(() -> direct.write(KEY, value, at));
    assertThat(orders.get("key")).isEqualTo(bytes);
    assertThat(orders.getEntryView("key").getExpirationTime()).isEqualTo(at);
    StagedValue next = stage(false);
    byte[] without = fill(next, 4);
    soon().until(() -> direct.write(KEY, next, Expiry.NONE));
    assertThat(orders.get("key")).isEqualTo(without);
    assertThat(orders.getEntryView("key").getExpirationTime()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void areOfOneMapOnly() {
    StagedValue value = stage(false);
    byte[] _ = fill(value, 5);
    assertThat(map("others").direct().write(KEY, value, Expiry.NONE)).isFalse();
    value.discard();
    value.discard();
    assertThat(map("orders").direct().write(KEY, value, Expiry.NONE)).isFalse();
  }

  /** A map that somebody began to listen to meanwhile tells him, by an operation. */
  @Test
  void areDeclinedWhereMoreThanAWriteIsToBeDone() {
    StagedValue value = stage(false);
    byte[] _ = fill(value, 6);
    UUID listener =
        orders.addEntryListener(
            (EntryAddedListener<String, Object>) (EntryEvent<String, Object> event) -> {}, false);
    try {
      assertThat(map("orders").direct().write(KEY, value, Expiry.NONE)).isFalse();
      assertThat(map("orders").direct().stage(KEY, BYTES, false)).isNull();
    } finally {
      orders.removeEntryListener(listener);
      value.discard();
    }
  }

  /** What was staged in entries that are gone is nobody's. */
  @Test
  void areDeclinedWhenTheirMapIsGone() {
    submit("passing", KeyCommand.Write.of(KEY, KEY));
    StagedValue value =
        soon().until(() -> map("passing").direct().stage(KEY, BYTES, false), Objects::nonNull);
    byte[] _ = fill(value, 7);
    grid.member(0).getMap("acme/passing").destroy();
    submit("passing", KeyCommand.Write.of(KEY, KEY));
    assertThat(map("passing").direct().write(KEY, value, Expiry.NONE)).isFalse();
    value.discard();
  }

  /** What never was written takes no memory, and what was no more than once. */
  @Test
  void leaveNothingBehind() {
    orders.delete("key");
    StagedValue none = stage(false);
    none.discard();
    grid.maps(0).heap().trim();
    long before = grid.maps(0).heap().usedBytes();
    for (int i = 0; i < 50; i++) {
      StagedValue value = stage(false);
      byte[] _ = fill(value, i);
      if (i % 2 == 0) {
        soon().until(() -> map("orders").direct().write(KEY, value, Expiry.NONE));
      } else {
        value.discard();
      }
    }
    orders.delete("key");
    soon()
        .until(
            () -> {
              grid.maps(0).heap().trim();
              return grid.maps(0).heap().usedBytes() <= before;
            });
  }
}
