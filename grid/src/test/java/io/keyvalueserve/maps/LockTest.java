package io.keyvalueserve.maps;

import static io.keyvalueserve.maps.HdGrid.inAnotherThread;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.map.IMap;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks on keys, whether there is an entry or not. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class LockTest {
  private final HdGrid grid;
  private IMap<String, String> map;
  private IMap<String, String> other;

  LockTest(int members) {
    grid = SharedGrids.of(members);
    map = grid.map();
    other = grid.elsewhere(map);
  }

  @BeforeEach
  void mapOfItsOwn() {
    map = grid.map();
    other = grid.elsewhere(map);
  }

  @Test
  void aLockIsReentrant() {
    map.lock("k");
    map.lock("k");
    assertThat(lockedOut()).isTrue();
    map.unlock("k");
    assertThat(lockedOut()).isTrue();
    assertThat(map.isLocked("k")).isTrue();
    map.unlock("k");
    assertThat(lockedOut()).isFalse();
    assertThat(other.isLocked("k")).isFalse();
    assertThat(map.containsKey("k")).isFalse();
  }

  private boolean lockedOut() {
    return !inAnotherThread(
        () -> {
          boolean locked = other.tryLock("k");
          if (locked) {
            other.unlock("k");
          }
          return locked;
        });
  }

  @Test
  void whileLockedOthersReadButDoNotWrite() {
    map.set("k", "v");
    map.lock("k");
    map.set("k", "w");
    assertThat(inAnotherThread(() -> other.get("k"))).isEqualTo("w");
    assertThat(inAnotherThread(() -> other.tryPut("k", "x", 50, MILLISECONDS))).isFalse();
    assertThat(inAnotherThread(() -> other.tryRemove("k", 50, MILLISECONDS))).isFalse();
    FutureTask<String> put = HdGrid.start(() -> other.put("k", "x"));
    map.set("k", "y");
    map.unlock("k");
    assertThat(HdGrid.result(put)).isEqualTo("y");
    assertThat(map.get("k")).isEqualTo("x");
  }

  @Test
  void tryLockWaitsForTheLock() throws Exception {
    map.lock("k");
    assertThat(inAnotherThread(() -> other.tryLock("k", 50, MILLISECONDS))).isFalse();
    FutureTask<Boolean> waiting = HdGrid.start(() -> other.tryLock("k", 30, SECONDS));
    map.unlock("k");
    assertThat(HdGrid.result(waiting)).isTrue();
    assertThat(map.tryLock("k")).isFalse();
    map.forceUnlock("k");
    assertThat(map.tryLock("k", 10, SECONDS, 1, SECONDS)).isTrue();
  }

  @Test
  void aLeaseEndsByItself() {
    map.lock("k", 200, MILLISECONDS);
    assertThat(map.isLocked("k")).isTrue();
    assertThat(inAnotherThread(() -> other.tryPut("k", "v", 30, SECONDS))).isTrue();
    await().until(() -> !map.isLocked("k"));
  }

  @Test
  void onlyTheOwnerUnlocksUnlessForced() {
    map.lock("k");
    inAnotherThread(
        () -> {
          assertThatThrownBy(() -> other.unlock("k"))
              .isInstanceOf(IllegalMonitorStateException.class);
          other.forceUnlock("k");
          return true;
        });
    assertThat(map.isLocked("k")).isFalse();
    assertThatThrownBy(() -> map.unlock("k")).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void evictAllAndClearSpareLockedKeys() {
    map.putAll(HdGrid.entries(100));
    map.lock("k1");
    map.lock("k2");
    other.evictAll();
    assertThat(map.keySet()).containsExactlyInAnyOrder("k1", "k2");
    map.putAll(HdGrid.entries(100));
    other.clear();
    assertThat(map.keySet()).containsExactlyInAnyOrder("k1", "k2");
    assertThat(map.isLocked("k1")).isTrue();
    map.unlock("k1");
    map.unlock("k2");
    assertThat(map.get("k2")).isEqualTo("v2");
    other.clear();
    assertThat(map.isEmpty()).isTrue();
  }

  @Test
  void aLockedEntryDoesNotExpire() {
    map.lock("k");
    map.set("k", "v", 100, MILLISECONDS);
    map.set("free", "v", 100, MILLISECONDS);
    await().until(() -> map.size() == 1);
    assertThat(map.get("k")).isEqualTo("v");
    map.unlock("k");
    await().until(map::isEmpty);
  }

  @Test
  void anEntryProcessorWaitsForTheLock() {
    map.set("k", "v");
    map.lock("k");
    FutureTask<Boolean> processing =
        HdGrid.start(
            () ->
                other.<Boolean>executeOnKey(
                    "k",
                    entry -> {
                      entry.setValue(entry.getValue() + "!");
                      return true;
                    }));
    map.set("k", "w");
    map.unlock("k");
    assertThat(HdGrid.result(processing)).isTrue();
    assertThat(map.get("k")).isEqualTo("w!");
  }

  @Test
  void manyThreadsCountUnderALock() {
    map.set("k", "0");
    @SuppressWarnings({"unchecked", "rawtypes"})
    FutureTask<Boolean>[] counters = new FutureTask[4];
    for (int i = 0; i < counters.length; i++) {
      IMap<String, String> mine = i % 2 == 0 ? map : other;
      counters[i] =
          HdGrid.start(
              () -> {
                for (int n = 0; n < 50; n++) {
                  mine.lock("k");
                  try {
                    mine.set("k", Integer.toString(Integer.parseInt(mine.get("k")) + 1));
                  } finally {
                    mine.unlock("k");
                  }
                }
                return true;
              });
    }
    for (FutureTask<Boolean> counter : counters) {
      assertThat(HdGrid.result(counter)).isTrue();
    }
    assertThat(map.get("k")).isEqualTo("200");
  }
}
