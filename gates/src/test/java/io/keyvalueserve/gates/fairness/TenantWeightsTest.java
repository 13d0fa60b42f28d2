package io.keyvalueserve.gates.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Goal: each tenant weighs what its quota says, and 1 until then. */
class TenantWeightsTest {
  private final TenantWeights weights = new TenantWeights();

  private void apply(int number, Quota quota) {
    TenantName name = new TenantName("tenant-" + number);
    weights.apply(new Tenant(name, number, TenantState.ACTIVE, Instant.EPOCH, List.of(), quota, 1));
  }

  @Test
  void quotasSayWhatTenantsWeigh() {
    apply(7, new Quota(Map.of(Limit.WEIGHT, 5L)));
    apply(3, new Quota(Map.of(Limit.WEIGHT, 1_000L)));
    apply(9, Quota.USUAL);
    assertThat(weights.applyAsInt(7)).isEqualTo(5);
    assertThat(weights.applyAsInt(3)).isEqualTo(1_000);
    assertThat(weights.applyAsInt(5)).isEqualTo(1);
    assertThat(weights.applyAsInt(9)).isEqualTo(1);
    assertThat(weights.applyAsInt(1_000_000)).isEqualTo(1);
    apply(7, Quota.USUAL);
    assertThat(weights.applyAsInt(7)).isEqualTo(1);
  }
}
