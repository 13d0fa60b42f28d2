package io.keyvalueserve.grid.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.grid.restart.Durability;
import org.junit.jupiter.api.Test;

class MapSettingsTest {
  private static final MapSettings NOTHING = MapSettings.none("a/b");

  @Test
  void revisionsGrowWhateverTheClocksSay() {
    MapSettings ahead = NOTHING.with(Durability.NONE).revised(1_000_000);
    assertThat(ahead.revision()).isEqualTo(1_000_000);
    assertThat(ahead.with(Durability.ALWAYS).revised(500).revision()).isGreaterThan(1_000_000);
  }

  /** Who has heard of what was there, and who has heard that it is gone, go on from there alike. */
  @Test
  void whatIsSetAgainIsNewerThanWhatIsGone() {
    MapSettings there = NOTHING.with(Durability.NONE).revised(1_000_000);
    MapSettings gone = there.gone();
    assertThat(gone.isNothing()).isTrue();
    assertThat(gone.revision()).isGreaterThan(there.revision());
    for (MapSettings heard : new MapSettings[] {there, gone}) {
      MapSettings again = heard.withoutAnything().with(Durability.ALWAYS).revised(500);
      assertThat(again.revision()).isGreaterThan(gone.revision());
    }
  }
}
