package io.keyvalueserve.grid.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.AccessKey;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MergedRecordsTest {
  private static final Instant BEFORE = Instant.ofEpochSecond(1_000);
  private static final Instant SPLIT = Instant.ofEpochSecond(2_000);
  private static final Instant LATER = Instant.ofEpochSecond(3_000);
  private static final AccessKey OLD = key("old", BEFORE);
  private static final AccessKey OTHER = key("other", BEFORE);

  @Test
  void aRecordThatOneSideHasChangedStaysAsItIs() {
    Tenant base = tenant(7, TenantState.ACTIVE, 5, OLD, OTHER);
    Tenant revoked = tenant(7, TenantState.ACTIVE, 6, OLD);
    assertThat(MergedRecords.of(base, revoked, SPLIT)).isEqualTo(revoked);
    assertThat(MergedRecords.of(revoked, base, SPLIT)).isEqualTo(revoked);
    assertThat(MergedRecords.of(base, base, SPLIT)).isEqualTo(base);
    Tenant minted = tenant(7, TenantState.ACTIVE, 6, OLD, OTHER, key("new", LATER));
    assertThat(MergedRecords.of(base, minted, SPLIT)).isEqualTo(minted);
  }

  @Test
  void whatWasTakenAwayOnEitherSideStaysAway() {
    Tenant mine = tenant(7, TenantState.ACTIVE, 7, OLD, key("mine", LATER));
    Tenant theirs = tenant(7, TenantState.SUSPENDED, 6, OTHER, key("theirs", LATER));
    for (Tenant merged :
        List.of(MergedRecords.of(mine, theirs, SPLIT), MergedRecords.of(theirs, mine, SPLIT))) {
      assertThat(merged.keys())
          .extracting(AccessKey::id)
          .containsExactlyInAnyOrder("mine", "theirs");
      assertThat(merged.state()).isEqualTo(TenantState.SUSPENDED);
      assertThat(merged.revision()).as("newer than either").isEqualTo(8);
    }
  }

  @Test
  void ofTwoTenantsWithOneNameOneStays() {
    Tenant mine = tenant(7, TenantState.ACTIVE, 1, key("mine", LATER));
    Tenant theirs = tenant(8, TenantState.ACTIVE, 1, key("theirs", LATER));
    Tenant merged = MergedRecords.of(mine, theirs, SPLIT);
    assertThat(merged.number()).isEqualTo(7);
    assertThat(merged.keys()).isEqualTo(mine.keys());
    assertThat(merged.revision()).isEqualTo(2);
    Tenant deleted = tenant(7, TenantState.DELETED, 4);
    assertThat(MergedRecords.of(deleted, tenant(8, TenantState.ACTIVE, 5), SPLIT).number())
        .isEqualTo(8);
  }

  @Test
  void whereTheSplitIsNotKnownNothingCountsAsNew() {
    Tenant mine = tenant(7, TenantState.ACTIVE, 6, OLD);
    Tenant theirs = tenant(7, TenantState.ACTIVE, 6, OLD, key("new", LATER));
    assertThat(MergedRecords.of(mine, theirs, Instant.MAX).keys()).containsExactly(OLD);
  }

  private static AccessKey key(String id, Instant made) {
    return new AccessKey(id, "0".repeat(64), made, "");
  }

  private static Tenant tenant(int number, TenantState state, long revision, AccessKey... keys) {
    return new Tenant(
        new TenantName("acme"), number, state, BEFORE, List.of(keys), Quota.USUAL, revision);
  }
}
