package io.keyvalueserve.grid.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.maps.OverMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class MemberSettingsTest {
  private static final String MAP = "acme/orders";
  private static final MapStoreSettings STORE =
      MapStoreSettings.usual("erp", "orders", StoreMode.READ_THROUGH);
  private static final MapStoreSettings NONE =
      MapStoreSettings.usual("none", "none", StoreMode.READ_THROUGH);

  @Test
  void tellsWhatIsBehindMaps() {
    List<MapStoreSettings> told = new CopyOnWriteArrayList<>();
    try (MemberSettings settings =
        new MemberSettings(
            null,
            (map, overMemory) -> {},
            (map, chargedTo) -> {},
            (map, store) -> told.add(store == null ? NONE : store))) {
      MapSettings set = MapSettings.none(MAP).with(STORE).revised(7);
      settings.take(set);
      settings.await();
      assertThat(settings.of(set)).isEqualTo(SettingsProgress.DONE);
      settings.take(set.gone());
      settings.await();
      assertThat(told).containsExactly(STORE, NONE);
    }
  }

  @Test
  void whatDoesNotHoldSaysWhyAndKeepsNothingElseBack() {
    List<OverMemory> told = new ArrayList<>();
    try (MemberSettings settings =
        new MemberSettings(
            null,
            (map, overMemory) -> told.add(overMemory),
            (map, chargedTo) -> {},
            (map, store) -> {
              throw new IllegalStateException("there is no table orders");
            })) {
      MapSettings set = MapSettings.none(MAP).with(STORE).with(OverMemory.EVICT).revised(7);
      settings.take(set);
      settings.await();
      assertThat(settings.of(set))
          .isEqualTo(SettingsProgress.failed("store: there is no table orders"));
      assertThat(told).containsExactly(OverMemory.EVICT);
    }
  }
}
