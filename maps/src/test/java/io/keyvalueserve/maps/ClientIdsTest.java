package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.util.UuidUtil;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Ids of clients say whose they are, and are never those of members. */
class ClientIdsTest {
  private final Random random = new Random(3);

  @Test
  void idsSayWhoseTheyAre() {
    Set<UUID> all = new HashSet<>();
    for (int tenant : new int[] {1, 2, 77, 1 << 24, Integer.MAX_VALUE}) {
      for (int i = 0; i < 1_000; i++) {
        UUID said = new UUID(random.nextLong(), random.nextLong());
        UUID id = ClientIds.of(tenant, said);
        assertThat(ClientIds.tenantOf(id)).isEqualTo(tenant);
        assertThat(ClientIds.of(tenant, said)).as("each time the same").isEqualTo(id);
        assertThat(id.version()).isEqualTo(8);
        assertThat(id.variant()).isEqualTo(2);
        all.add(id);
      }
    }
    assertThat(all).hasSize(5_000);
  }

  @Test
  void whatAClientSaysMakesItNobodyElse() {
    UUID acmes = ClientIds.of(1, UUID.randomUUID());
    UUID copied = ClientIds.of(2, acmes);
    assertThat(copied).isNotEqualTo(acmes);
    assertThat(ClientIds.tenantOf(copied)).isEqualTo(2);
  }

  @Test
  void membersAreNobodysClients() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(ClientIds.tenantOf(UuidUtil.newSecureUUID())).isEqualTo(ClientIds.NOBODY);
      assertThat(ClientIds.tenantOf(UUID.randomUUID())).isEqualTo(ClientIds.NOBODY);
    }
    assertThat(ClientIds.tenantOf(new UUID(0, 0))).isEqualTo(ClientIds.NOBODY);
  }

  @Test
  void nobodyHasNoClients() {
    UUID said = UUID.randomUUID();
    assertThatThrownBy(() -> ClientIds.of(ClientIds.NOBODY, said))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
