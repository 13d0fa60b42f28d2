package io.keyvalueserve.grid.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.tenancy.Persistence;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
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
            new Told(new HashMap<>()),
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
    Map<String, Optional<OverMemory>> told = new HashMap<>();
    try (MemberSettings settings =
        new MemberSettings(
            null,
            new Told(told),
            (map, chargedTo) -> {},
            (map, store) -> {
              throw new IllegalStateException("there is no table orders");
            })) {
      MapSettings set = MapSettings.none(MAP).with(STORE).with(OverMemory.EVICT).revised(7);
      settings.take(set);
      settings.await();
      assertThat(settings.of(set))
          .isEqualTo(SettingsProgress.failed("store: there is no table orders"));
      assertThat(told).isEqualTo(Map.of(MAP, Optional.of(OverMemory.EVICT)));
    }
  }

  /** Keeps what is set, by the names of maps. */
  private record Told(Map<String, Optional<OverMemory>> set) implements OverMemorySink {
    @Override
    public void set(String map, @Nullable OverMemory next) {
      set.put(map, Optional.ofNullable(next));
    }

    @Override
    public void unset(String map) {
      set.remove(map);
    }
  }

  @Test
  void theWordOfATenantHoldsForMapsWithoutOneOfTheirOwn() {
    Map<String, Optional<OverMemory>> told = new HashMap<>();
    try (MemberSettings settings =
        new MemberSettings(null, new Told(told), (map, chargedTo) -> {}, (map, store) -> {})) {
      MapSettings charged = MapSettings.none(MAP).with(ChargedTo.WRITER).revised(7);
      MapSettings spilled = MapSettings.none("acme/spilled").with(OverMemory.SPILL).revised(7);
      MapSettings tenant = MapSettings.none("acme/").with(Persistence.MEMORY).revised(7);
      settings.take(charged);
      settings.take(spilled);
      settings.take(tenant);
      settings.await();
      assertThat(told)
          .isEqualTo(
              Map.of(
                  "acme/",
                  Optional.of(OverMemory.EVICT),
                  MAP,
                  Optional.of(OverMemory.EVICT),
                  "acme/spilled",
                  Optional.of(OverMemory.SPILL)));
      assertThat(settings.keeping("acme/another").effective()).isEqualTo(Persistence.MEMORY);
      assertThat(settings.keeping("acme/spilled").effective()).isEqualTo(Persistence.DEFAULT);
      settings.take(tenant.gone());
      settings.await();
      assertThat(told)
          .isEqualTo(Map.of(MAP, Optional.empty(), "acme/spilled", Optional.of(OverMemory.SPILL)));
    }
  }

  @Test
  void aWordThatNeedsADiskFailsWithoutOne() {
    try (MemberSettings settings =
        new MemberSettings(
            null, new Told(new HashMap<>()), (map, chargedTo) -> {}, (map, store) -> {})) {
      MapSettings tenant = MapSettings.none("acme/").with(Persistence.DURABLE).revised(7);
      settings.take(tenant);
      settings.await();
      assertThat(settings.of(tenant).why()).contains("--data");
    }
  }

  @Test
  void theDurabilityOfAMapIsKeptWithWhatItsTenantSays() {
    MapSettings tenant = MapSettings.none("acme/").with(Persistence.DURABLE);
    MapSettings follows = MapSettings.none("acme/follows").with(ChargedTo.WRITER);
    MapSettings own = MapSettings.none("acme/own").with(Durability.NONE);
    MapSettings evicted = MapSettings.none("acme/evicted").with(OverMemory.EVICT);
    MapSettings other = MapSettings.none("other/map").with(ChargedTo.WRITER);
    assertThat(
            MemberSettings.durabilities(
                List.of(tenant, follows, own, evicted, other), Durability.EVERYSEC))
        .isEqualTo(
            Map.of(
                "acme/", Durability.ALWAYS,
                "acme/follows", Durability.ALWAYS,
                "acme/own", Durability.NONE,
                "acme/evicted", Durability.EVERYSEC));
  }
}
