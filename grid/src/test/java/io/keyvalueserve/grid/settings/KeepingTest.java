package io.keyvalueserve.grid.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.settings.Keeping.Source;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.tenancy.Persistence;
import org.junit.jupiter.api.Test;

class KeepingTest {
  private static final MapSettings MAP = MapSettings.none("acme/orders");
  private static final MapSettings TENANT = MapSettings.none("acme/");
  private static final Consent GIVEN = new Consent(true, 10, "AbCdEfGhIj");
  private static final Consent WITHDRAWN = new Consent(false, 20, "KlMnOpQrSt");

  @Test
  void withoutAWordTheSettingsOfTheMapHold() {
    Keeping keeping = Keeping.of(MAP.with(Durability.ALWAYS).with(OverMemory.EVICT), TENANT);
    assertThat(keeping)
        .isEqualTo(
            new Keeping(
                Persistence.DEFAULT,
                Source.MEMBER,
                null,
                Source.MEMBER,
                Durability.ALWAYS,
                OverMemory.EVICT));
    assertThat(Keeping.of(MAP, TENANT).durability()).isNull();
    assertThat(Keeping.of(MAP, TENANT).overMemory()).isNull();
  }

  @Test
  void theWordOfTheMapHoldsBeforeThatOfItsTenant() {
    MapSettings durable = TENANT.with(Persistence.DURABLE);
    Keeping own = Keeping.of(MAP.with(Persistence.RARELY_USED), durable);
    assertThat(own.word()).isEqualTo(Persistence.RARELY_USED);
    assertThat(own.source()).isEqualTo(Source.MAP);
    assertThat(own.durability()).isEqualTo(Durability.NONE);
    assertThat(own.overMemory()).isEqualTo(OverMemory.SPILL);
    Keeping ofTenant = Keeping.of(MAP, durable);
    assertThat(ofTenant.source()).isEqualTo(Source.TENANT);
    assertThat(ofTenant.durability()).isEqualTo(Durability.ALWAYS);
  }

  @Test
  void theWordOfTheTenantDoesNotHoldWhereTheMapContradictsIt() {
    Keeping keeping = Keeping.of(MAP.with(Durability.EVERYSEC), TENANT.with(Persistence.DURABLE));
    assertThat(keeping.word()).isEqualTo(Persistence.DEFAULT);
    assertThat(keeping.durability()).isEqualTo(Durability.EVERYSEC);
    assertThat(keeping.overMemory()).isNull();
  }

  @Test
  void withoutConsentDataIsInMemoryAlone() {
    MapSettings map = MAP.with(Persistence.CONSENTED);
    Keeping before = Keeping.of(map, TENANT);
    assertThat(before.word()).isEqualTo(Persistence.CONSENTED);
    assertThat(before.effective()).isEqualTo(Persistence.MEMORY);
    assertThat(before.durability()).isEqualTo(Durability.NONE);
    assertThat(before.overMemory()).isEqualTo(OverMemory.EVICT);
    assertThat(before.inWords()).contains("has not consented");
    Keeping given = Keeping.of(map.with(GIVEN), TENANT);
    assertThat(given.effective()).isEqualTo(Persistence.CONSENTED);
    assertThat(given.durability()).isEqualTo(Durability.EVERYSEC);
    assertThat(given.overMemory()).isEqualTo(OverMemory.SPILL);
    assertThat(Keeping.of(map.with(WITHDRAWN), TENANT).durability()).isEqualTo(Durability.NONE);
  }

  @Test
  void theLastWordOfTheTenantCounts() {
    MapSettings map = MAP.with(Persistence.CONSENTED);
    Keeping all = Keeping.of(map.with(GIVEN), TENANT.with(WITHDRAWN));
    assertThat(all.consent()).isEqualTo(WITHDRAWN);
    assertThat(all.consentSource()).isEqualTo(Source.TENANT);
    assertThat(all.effective()).isEqualTo(Persistence.MEMORY);
    Keeping one = Keeping.of(map.with(new Consent(true, 30, "AbCdEfGhIj")), TENANT.with(WITHDRAWN));
    assertThat(one.consentSource()).isEqualTo(Source.MAP);
    assertThat(one.effective()).isEqualTo(Persistence.CONSENTED);
  }

  @Test
  void inMemoryWritesCanBeRefusedInsteadOfEntriesDeleted() {
    MapSettings map = MAP.with(OverMemory.REFUSE).with(Persistence.MEMORY);
    Keeping.requireConsistent(map);
    assertThat(Keeping.of(map, TENANT).overMemory()).isEqualTo(OverMemory.REFUSE);
  }

  @Test
  void whatContradictsItselfNamesBothFieldsAndTheRemedy() {
    assertThatThrownBy(
            () ->
                KeepingChange.NOTHING
                    .persistence(Persistence.MEMORY)
                    .applyTo(MAP.with(OverMemory.SPILL)))
        .isInstanceOf(MapSettingsException.class)
        .hasMessageContainingAll("persistence 'memory'", "overMemory 'spill'", "'default'");
    assertThatThrownBy(
            () ->
                KeepingChange.NOTHING
                    .durability(Durability.ALWAYS)
                    .applyTo(MAP.with(Persistence.CONSENTED)))
        .isInstanceOf(MapSettingsException.class)
        .hasMessageContainingAll("persistence 'consented'", "durability 'always'", "everysec");
    MapSettings both =
        KeepingChange.NOTHING
            .durability(Durability.ALWAYS)
            .persistence(Persistence.DURABLE)
            .applyTo(MAP.with(Persistence.MEMORY));
    assertThat(Keeping.of(both, TENANT).durability()).isEqualTo(Durability.ALWAYS);
  }
}
