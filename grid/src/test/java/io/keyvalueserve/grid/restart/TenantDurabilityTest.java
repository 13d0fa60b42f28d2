package io.keyvalueserve.grid.restart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TenantDurabilityTest {
  private final MapDurability durability = new MapDurability(Durability.EVERYSEC);

  @Test
  void mapsThatComeAreAsTheirTenantSays() {
    assertThat(durability.setAll("acme/", Durability.ALWAYS)).isEmpty();
    assertThat(durability.of("acme/new").now()).isEqualTo(Durability.ALWAYS);
    assertThat(durability.of("acmes/new").now()).isEqualTo(Durability.EVERYSEC);
    assertThat(durability.of("__kvs.maps").now()).isEqualTo(Durability.ALWAYS);
    assertThat(durability.of("__kvs.transaction-changes").now()).isEqualTo(Durability.NONE);
    assertThat(durability.setAll("acme/", null)).containsExactly("acme/new");
    assertThat(durability.of("acme/new").now())
        .as("it is told by itself")
        .isEqualTo(Durability.ALWAYS);
    assertThat(durability.of("acme/newer").now()).isEqualTo(Durability.EVERYSEC);
  }

  @Test
  void aMapOfItsOwnFollowsItsTenantWhenThatIsTakenBack() {
    durability.set("acme/own", Durability.NONE);
    assertThat(durability.setAll("acme/", Durability.ALWAYS)).containsExactly("acme/own");
    assertThat(durability.of("acme/own").now()).isEqualTo(Durability.NONE);
    durability.set("acme/own", null);
    assertThat(durability.of("acme/own").now()).isEqualTo(Durability.ALWAYS);
  }

  @Test
  void aNameIsThatOfATenantIfNothingFollowsItsSlash() {
    assertThat(MapDurability.isTenant("acme/")).isTrue();
    for (String map : new String[] {"acme/m", "acme", "__kvs.maps", "a/b/"}) {
      assertThat(MapDurability.isTenant(map)).as(map).isFalse();
    }
  }
}
