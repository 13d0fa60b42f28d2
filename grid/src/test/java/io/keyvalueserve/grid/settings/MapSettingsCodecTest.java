package io.keyvalueserve.grid.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.tenancy.Persistence;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MapSettingsCodecTest {
  private static final MapIndex INDEX = new MapIndex("a-b", true, List.of("a", "b.c"));

  private static final MapStoreSettings STORE =
      new MapStoreSettings(
          "erp",
          "public.orders",
          StoreMode.WRITE_BEHIND,
          "no",
          List.of("a", "b"),
          StoreFormat.JSON,
          7,
          Duration.ofMillis(250),
          Duration.ZERO,
          Duration.ofMinutes(1),
          true,
          9,
          0,
          0,
          false);

  @Test
  void whatIsWrittenIsRead() {
    MapSettings nothing = MapSettings.none("acme/a map").revised(7);
    MapSettings all =
        nothing
            .with(Durability.ALWAYS)
            .with(INDEX)
            .with(new MapIndex("h", false, List.of("x")))
            .revised(9);
    MapSettings usualStore =
        nothing.with(MapStoreSettings.usual("erp", "orders", StoreMode.READ_THROUGH)).revised(8);
    for (MapSettings settings : List.of(nothing, all, usualStore)) {
      assertThat(MapSettingsCodec.decode(MapSettingsCodec.encode(settings))).isEqualTo(settings);
    }
  }

  /** Every later version has to read what is stored. */
  @Test
  void theFormStays() {
    String text =
        "{\"v\":1,\"map\":\"acme/orders\",\"revision\":42,\"durability\":\"none\","
            + "\"overMemory\":\"evict\",\"chargedTo\":\"writer\",\"store\":{\"store\":\"erp\","
            + "\"table\":\"public.orders\",\"mode\":\"write-behind\",\"keyColumn\":\"no\","
            + "\"valueColumns\":[\"a\",\"b\"],\"format\":\"json\",\"batch\":7,\"delayMillis\":250,"
            + "\"negativeTtlMillis\":0,\"timeToLiveMillis\":60000,\"eager\":true,"
            + "\"mostWaiting\":9,\"mostRate\":0,\"refreshAhead\":0,\"follow\":false},"
            + "\"persistence\":\"consented\","
            + "\"consent\":{\"given\":true,\"at\":17,\"key\":\"AbCdEfGhIj\"},"
            + "\"indexes\":["
            + "{\"name\":\"a-b\",\"sorted\":true,\"attributes\":[\"a\",\"b.c\"]}]}";
    MapSettings settings =
        new MapSettings(
            "acme/orders",
            42,
            Durability.NONE,
            OverMemory.EVICT,
            ChargedTo.WRITER,
            STORE,
            List.of(INDEX),
            Persistence.CONSENTED,
            new Consent(true, 17, "AbCdEfGhIj"));
    assertThat(MapSettingsCodec.encode(settings)).isEqualTo(text);
    String later = text.replace("\"revision\"", "\"ttl\":60,\"revision\"");
    assertThat(MapSettingsCodec.decode(later)).isEqualTo(settings);
  }

  @Test
  void saysWhatIsDamaged() {
    assertThatThrownBy(() -> MapSettingsCodec.decode("{\"v\":2}"))
        .hasMessageContaining("version 2");
    assertThatThrownBy(() -> MapSettingsCodec.decode("{\"v\":1,\"map\":\"m\"}"))
        .hasMessageContaining("'revision'");
    assertThatThrownBy(
            () ->
                MapSettingsCodec.decode(
                    "{\"v\":1,\"map\":\"m\",\"revision\":1,\"durability\":\"often\"}"))
        .hasMessageContaining("'durability': often");
    assertThatThrownBy(
            () ->
                MapSettingsCodec.decode(
                    "{\"v\":1,\"map\":\"m\",\"revision\":1,\"persistence\":\"forever\"}"))
        .hasMessageContaining("'persistence': forever");
    String store = MapSettingsCodec.encode(MapSettings.none("m").with(STORE));
    assertThatThrownBy(() -> MapSettingsCodec.decode(store.replace("write-behind", "never")))
        .hasMessageContaining("'store.mode': never");
    assertThatThrownBy(() -> MapSettingsCodec.decode(store.replace("\"json\"", "\"xml\"")))
        .hasMessageContaining("'store.format': xml");
    assertThatThrownBy(() -> MapSettingsCodec.decode(store.replace("\"batch\"", "\"b\"")))
        .hasMessageContaining("'batch'");
    assertThatThrownBy(() -> MapSettingsCodec.decode("nothing")).hasMessageContaining("not JSON");
  }

  @Test
  void progressIsToldAsText() {
    for (SettingsProgress progress :
        List.of(
            SettingsProgress.DONE,
            SettingsProgress.UNDER_WAY,
            SettingsProgress.failed("disk: full"))) {
      assertThat(SettingsProgress.ofText(progress.text())).isEqualTo(progress);
    }
  }
}
