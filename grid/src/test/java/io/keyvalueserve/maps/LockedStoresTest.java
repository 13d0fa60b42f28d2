package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.map.IMap;
import io.keyvalueserve.grid.space.TestGrid;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Looking again and again at the locks of a member finds each of them. */
final class LockedStoresTest {
  private final AtomicLong nanos = new AtomicLong();
  private HdGrid grid;

  @BeforeEach
  void start() {
    grid = HdGrid.start(2);
  }

  @AfterEach
  void stop() {
    grid.close();
  }

  private LockedStores stores(int member) {
    return new LockedStores(TestGrid.nodeEngine(grid.member(member)), nanos::get);
  }

  @Test
  void findsLocksOfOwnersAndBackups() {
    IMap<String, String> map = grid.map();
    LockedStores[] stores = {stores(0), stores(1)};
    for (int key = 0; key < 50; key++) {
      String name = "k" + key;
      map.lock(name);
      await()
          .untilAsserted(
              () -> {
                assertThat(stores[0].find()).hasSize(1);
                assertThat(stores[1].find()).hasSize(1);
              });
      assertThat(stores[0].find().getFirst().store().getNamespace().getObjectName())
          .isEqualTo(map.getName());
      int partition = stores[0].find().getFirst().partition();
      assertThat(IntStream.range(0, 2).filter(i -> stores[i].isOwned(partition)).count())
          .isEqualTo(1);
      map.unlock(name);
      await()
          .untilAsserted(
              () -> {
                assertThat(stores[0].find()).isEmpty();
                assertThat(stores[1].find()).isEmpty();
              });
    }
  }

  @Test
  void mayTellOfTheFirstLockALittleLaterIfAsked() {
    IMap<String, String> map = grid.map();
    LockedStores stores = stores(0);
    assertThat(stores.findLately()).isEmpty();
    map.lock("k");
    await().untilAsserted(() -> assertThat(stores(0).findLately()).hasSize(1));
    assertThat(stores.findLately()).isEmpty();
    assertThat(stores.find()).hasSize(1);
    nanos.addAndGet(LockedStores.MOST_AGE_NANOS);
    assertThat(stores.findLately()).hasSize(1);
    map.lock("l");
    int locks = stores.findLately().stream().mapToInt(each -> each.store().getLocks().size()).sum();
    assertThat(locks).isBetween(1, 2);
    map.unlock("l");
    map.unlock("k");
  }
}
