package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.grid.Safety;
import io.keyvalueserve.grid.external.MapStoreStatus;
import io.keyvalueserve.grid.restart.Losses;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What makes an alert of the cluster and its tenants. */
class AlertRulesTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final TenantName ACME = new TenantName("acme");
  private static final Quota QUOTA =
      Quota.USUAL.with(Limit.OPERATIONS, 100L).with(Limit.ENTRIES, 10L);

  private static LiveSample sample(Safety safety, List<String> silent, TenantUsage usage) {
    return new LiveSample(
        NOW,
        List.of(),
        Map.of(),
        safety,
        null,
        List.of(),
        null,
        Map.of(ACME, usage),
        Map.of(ACME, new Tenant(ACME, 1, TenantState.ACTIVE, NOW, List.of(), QUOTA, 1)),
        1,
        usage,
        silent,
        List.of());
  }

  private static Safety safety(boolean safe, Integer... lost) {
    return new Safety(safe, List.of(lost), Losses.NONE);
  }

  private static TenantUsage usage(double operations, long throttled, long entries) {
    return new TenantUsage(operations, 0, 0, throttled, 0, entries, 0, 0, 0, 0, Map.of(), Map.of());
  }

  @Test
  void aClusterThatIsWellHasNone() {
    LiveSample sample = sample(safety(true), List.of(), usage(89, 7, 8));
    assertThat(AlertRules.ofCluster(sample, sample)).isEmpty();
    assertThat(AlertRules.ofCluster(sample, null)).isEmpty();
    assertThat(AlertRules.ofMember("a:1", List.of(), null, NOW)).isEmpty();
  }

  @Test
  void tellsOfTheCluster() {
    TenantUsage none = usage(0, 0, 0);
    assertThat(AlertRules.ofCluster(sample(safety(false), List.of("a:1"), none), null))
        .containsExactly(
            Alert.of("unsafe", true, "The cluster is not safe", null, NOW),
            Alert.of("silent a:1", true, "Member a:1 does not answer", null, NOW));
    assertThat(AlertRules.ofCluster(sample(safety(false, 3), List.of(), none), null))
        .containsExactly(Alert.of("lost", true, "Partitions without a copy", null, NOW));
  }

  @Test
  void tellsOfTenants() {
    LiveSample before = sample(safety(true), List.of(), usage(0, 7, 0));
    LiveSample now = sample(safety(true), List.of(), usage(90, 8, 10));
    assertThat(AlertRules.ofCluster(now, before))
        .containsExactlyInAnyOrder(
            Alert.of("throttled acme", false, "acme is throttled", ACME, NOW),
            Alert.of(
                "operationsPerSecond acme",
                false,
                "acme is near its limit of operations a second",
                ACME,
                NOW),
            Alert.of("entries acme", true, "acme is at its limit of entries", ACME, NOW));
  }

  private static MapStoreStatus store(long dead, long ageSeconds, @Nullable String problem) {
    long oldest = ageSeconds == 0 ? 0 : NOW.minusSeconds(ageSeconds).toEpochMilli();
    return new MapStoreStatus(dead, dead, oldest, 0, 0, 0, 0, 0, problem);
  }

  private static List<Alert> ofStore(Duration delay, MapStoreStatus status) {
    return AlertRules.ofStores(
        Map.of("acme/orders", delay), Map.of("acme/orders", status, "acme/gone", status), NOW);
  }

  private static SnapshotJob snapshot(SnapshotJob.State state) {
    return new SnapshotJob(
        "j-1",
        SnapshotJob.Kind.CREATE,
        state,
        "acme",
        null,
        null,
        "file:/backups",
        "127.0.0.1:5801",
        0,
        0,
        0,
        0,
        1,
        2,
        3,
        null,
        null);
  }

  @Test
  void tellsOfSnapshotsThatFailed() {
    assertThat(AlertRules.ofSnapshots(List.of(snapshot(SnapshotJob.State.DONE)), NOW)).isEmpty();
    assertThat(AlertRules.ofSnapshots(List.of(snapshot(SnapshotJob.State.FAILED)), NOW))
        .containsExactly(
            Alert.of(
                "snapshot acme", true, "The last snapshot of tenant acme has failed", ACME, NOW));
  }

  @Test
  void tellsOfExternalStores() {
    assertThat(ofStore(Duration.ZERO, store(0, 60, null))).isEmpty();
    assertThat(ofStore(Duration.ofSeconds(10), store(0, 100, null))).isEmpty();
    Alert waiting =
        Alert.of(
            "waiting acme/orders",
            false,
            "Writes of map acme/orders wait too long for its database",
            ACME,
            NOW);
    assertThat(ofStore(Duration.ofSeconds(10), store(0, 101, null))).containsExactly(waiting);
    assertThat(ofStore(Duration.ZERO, store(3, 61, "no route to host")))
        .containsExactly(
            Alert.of(
                "store acme/orders",
                true,
                "The database behind map acme/orders does not work",
                ACME,
                NOW),
            Alert.of(
                "letters acme/orders",
                false,
                "The database behind map acme/orders has refused writes",
                ACME,
                NOW),
            waiting);
  }
}
