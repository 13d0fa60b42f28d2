package io.keyvalueserve.grid.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.grid.catalogue.InvalidStoreException;
import io.keyvalueserve.tenancy.InvalidNameException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MapStoreSettingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void usualSettingsAreThose() {
    MapStoreSettings usual = MapStoreSettings.usual("erp", "orders", StoreMode.WRITE_THROUGH);
    assertThat(usual)
        .isEqualTo(
            new MapStoreSettings(
                "erp",
                "orders",
                StoreMode.WRITE_THROUGH,
                "id",
                List.of("value"),
                StoreFormat.VALUE,
                500,
                SECOND,
                Duration.ofSeconds(5),
                null,
                false,
                100_000,
                0,
                0,
                false));
    assertThat(MapStoreSettings.usualValueColumns(StoreFormat.JSON)).isEmpty();
  }

  @Test
  void modesAndFormatsHaveTheirTexts() {
    assertThat(StoreMode.READ_THROUGH.text()).isEqualTo("read-through");
    for (StoreMode mode : StoreMode.values()) {
      assertThat(StoreMode.ofText(mode.text())).isEqualTo(Optional.of(mode));
    }
    for (StoreFormat format : StoreFormat.values()) {
      assertThat(StoreFormat.ofText(format.text())).isEqualTo(Optional.of(format));
    }
    assertThat(StoreMode.ofText("READ_THROUGH")).isEmpty();
  }

  @Test
  void amountsHaveBounds() {
    refuses("batch", () -> with(0, SECOND, SECOND, null, 1)).hasMessageContaining("1 to 10000");
    refuses("batch", () -> with(10_001, SECOND, SECOND, null, 1));
    refuses("delay", () -> with(1, Duration.ofMillis(-1), SECOND, null, 1));
    refuses("delay", () -> with(1, Duration.ofMinutes(61), SECOND, null, 1))
        .hasMessageContaining("0s to 1h");
    refuses("negativeTtl", () -> with(1, SECOND, Duration.ofHours(2), null, 1));
    refuses("timeToLive", () -> with(1, SECOND, SECOND, Duration.ofMillis(999), 1));
    refuses("timeToLive", () -> with(1, SECOND, SECOND, Duration.ofDays(366), 1));
    refuses("mostWaiting", () -> with(1, SECOND, SECOND, null, 0));
    refuses("mostWaiting", () -> with(1, SECOND, SECOND, null, 10_000_001));
    assertThat(
            with(10_000, Duration.ofHours(1), Duration.ZERO, Duration.ofDays(365), 10_000_000)
                .timeToLive())
        .isEqualTo(Duration.ofDays(365));
  }

  private static MapStoreSettings with(
      int batch,
      Duration delay,
      Duration negativeTtl,
      @Nullable Duration timeToLive,
      int mostWaiting) {
    return new MapStoreSettings(
        "erp",
        "orders",
        StoreMode.WRITE_BEHIND,
        "id",
        List.of("value"),
        StoreFormat.VALUE,
        batch,
        delay,
        negativeTtl,
        timeToLive,
        false,
        mostWaiting,
        0,
        0,
        false);
  }

  @Test
  void columnsFitTheFormat() {
    refuses("valueColumns", () -> of("t", "id", StoreFormat.VALUE))
        .hasMessageContaining("name one, or use the format json");
    refuses("valueColumns", () -> of("t", "id", StoreFormat.VALUE, "a", "b"));
    refuses("valueColumns", () -> of("t", "id", StoreFormat.JSON, "a", "id"))
        .hasMessageContaining("'id' is the key column");
    refuses("valueColumns", () -> of("t", "id", StoreFormat.JSON, "a", "a"))
        .hasMessageContaining("named twice");
    refuses("valueColumns", () -> of("t", "id", StoreFormat.JSON, "a", "\n"));
    assertThat(of("t", "id", StoreFormat.JSON).valueColumns()).isEmpty();
    assertThat(of("t", "id", StoreFormat.JSON, "a", "b").valueColumns()).containsExactly("a", "b");
  }

  @Test
  void namesAreNeeded() {
    refuses("table", () -> of(" ", "id", StoreFormat.JSON));
    refuses("keyColumn", () -> of("t", "", StoreFormat.JSON));
    refuses("table", () -> of("x".repeat(257), "id", StoreFormat.JSON));
    assertThatThrownBy(() -> MapStoreSettings.usual("Erp", "t", StoreMode.READ_THROUGH))
        .isInstanceOf(InvalidNameException.class)
        .hasMessageContaining("invalid store name 'Erp'");
  }

  private static MapStoreSettings of(
      String table, String key, StoreFormat format, String... columns) {
    return new MapStoreSettings(
        "erp",
        table,
        StoreMode.READ_THROUGH,
        key,
        List.of(columns),
        format,
        1,
        SECOND,
        SECOND,
        null,
        false,
        1,
        0,
        0,
        false);
  }

  private static AbstractThrowableAssert<?, ?> refuses(
      String field, org.assertj.core.api.ThrowableAssert.ThrowingCallable make) {
    return assertThatThrownBy(make)
        .hasMessageStartingWith(field + ": ")
        .isInstanceOfSatisfying(
            InvalidStoreException.class, e -> assertThat(e.field()).isEqualTo(field));
  }
}
