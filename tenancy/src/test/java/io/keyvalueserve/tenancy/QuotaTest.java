package io.keyvalueserve.tenancy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: a quota holds only what can be meant, and survives being stored. */
class QuotaTest {
  @Test
  void whereNothingIsSetTheUsualHolds() {
    assertThat(Quota.USUAL.of(Limit.OPERATIONS)).isEqualTo(Quota.UNLIMITED);
    assertThat(Quota.USUAL.of(Limit.LOCKS)).isEqualTo(10_000);
    assertThat(Quota.USUAL.of(Limit.BURST)).isEqualTo(1_000);
  }

  @Test
  void changesOneLimitAndLeavesTheOthers() {
    Quota quota = Quota.USUAL.with(Limit.MEMORY, 1L << 30).with(Limit.MAPS, 3L);
    Quota changed = quota.with(Limit.MEMORY, null);
    assertThat(changed.of(Limit.MEMORY)).isEqualTo(Quota.UNLIMITED);
    assertThat(changed.of(Limit.MAPS)).isEqualTo(3);
    assertThat(quota.of(Limit.MEMORY)).isEqualTo(1L << 30);
  }

  @ParameterizedTest
  @EnumSource(Limit.class)
  void refusesWhatIsOutOfRangeAndNamesIt(Limit limit) {
    assertThat(Quota.USUAL.with(limit, limit.least()).of(limit)).isEqualTo(limit.least());
    assertThat(Quota.USUAL.with(limit, limit.most()).of(limit)).isEqualTo(limit.most());
    for (long wrong : new long[] {limit.least() - 1, limit.most() + 1}) {
      assertThatThrownBy(() -> Quota.USUAL.with(limit, wrong))
          .isInstanceOf(InvalidQuotaException.class)
          .hasMessageContaining("'" + limit.text() + "'")
          .hasMessageContaining(String.valueOf(limit.most()));
    }
  }

  @Test
  void survivesBeingStored() {
    Quota quota = Quota.USUAL;
    for (Limit limit : Limit.values()) {
      quota = quota.with(limit, limit.most());
    }
    assertThat(CatalogueCodec.decode(CatalogueCodec.encode(tenant(quota))).quota())
        .isEqualTo(quota);
  }

  @Test
  void aRecordOfATimeWithoutQuotasHasTheUsualOne() {
    String stored = CatalogueCodec.encode(tenant(Quota.USUAL)).replace("\"quota\":{},", "");
    assertThat(stored).doesNotContain("quota");
    assertThat(CatalogueCodec.decode(stored).quota()).isEqualTo(new Quota(Map.of()));
  }

  private static Tenant tenant(Quota quota) {
    return new Tenant(
        new TenantName("acme"), 1, TenantState.ACTIVE, Instant.EPOCH, List.of(), quota, 1);
  }
}
