package io.keyvalueserve.grid.restart;

import static io.keyvalueserve.grid.restart.Claims.A;
import static io.keyvalueserve.grid.restart.Claims.B;
import static io.keyvalueserve.grid.restart.Claims.C;
import static io.keyvalueserve.grid.restart.Claims.claim;
import static io.keyvalueserve.grid.restart.Claims.forgetting;
import static io.keyvalueserve.grid.restart.Claims.table;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.partition.InternalPartition;
import io.keyvalueserve.grid.restart.Claims.Row;
import io.keyvalueserve.grid.restart.RunningCluster.Way;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a member does with its data that finds its cluster running. */
final class RunningClusterTest {
  private static RunningCluster cluster(
      RestartClaim mine, List<RestartClaim> started, RestartClaim... starting) {
    return new RunningCluster(mine, started, List.of(starting), 1);
  }

  private static Way way(RestartClaim mine, List<RestartClaim> started, RestartClaim... starting) {
    return cluster(mine, started, starting).way(RestartPolicy.COMPLETE);
  }

  private static InternalPartition row(Row row) {
    return table(row).table().getPartition(0);
  }

  private static KeptTable lost(Row now, int since, Row before) {
    return new KeptTable(table(now).table(), Map.of(0, since), Map.of(0, row(before)), Set.of());
  }

  @Test
  void whoseDataTheOthersHaveGivesThemUp() {
    KeptTable mine = table(new Row(2, B, A), new Row(2, A, B));
    KeptTable running = table(new Row(4, A, C), new Row(3, A, C));
    assertThat(way(claim(B, mine), List.of(claim(A, running), claim(C, running))))
        .isEqualTo(Way.JOIN);
  }

  /** Its rows name it by the id that it has since. */
  @Test
  void aRunningMemberThatGaveWayInAMergeHasWhatItsRowsSay() {
    UUID since = new UUID(2, 1);
    KeptTable rows = table(new Row(4, since, B), new Row(4, since));
    RestartClaim running = claim(A, rows).alsoKnownAs(Set.of(since));
    assertThat(way(claim(B, table(new Row(4, since, B), new Row(3, B))), List.of(running)))
        .isEqualTo(Way.JOIN);
  }

  /** The table names the member still, or another that is down, and not yet who takes over. */
  @Test
  void theCopyOfARunningBackupIsEnough() {
    KeptTable table = table(new Row(2, B, A), new Row(2, C, A));
    assertThat(way(claim(B, table), List.of(claim(A, table)))).isEqualTo(Way.JOIN);
  }

  @Test
  void whoHasTheOnlyCopyBeginsTogetherWithTheOthers() {
    KeptTable table = table(new Row(2, B, C), new Row(2, A, C));
    assertThat(way(claim(B, table), List.of(claim(A, table)))).isEqualTo(Way.TOGETHER);
    KeptTable lost = lost(new Row(5, A), 5, new Row(2, B, C));
    KeptTable mine = table(new Row(2, B, C));
    assertThat(way(claim(B, mine), List.of(claim(A, lost)))).isEqualTo(Way.TOGETHER);
  }

  @Test
  void aBackupThatMayBeBehindIsNoCopy() {
    KeptTable table = table(new Row(2, B, A));
    KeptTable behind = new KeptTable(table.table(), Map.of(), Map.of(), Set.of(0));
    assertThat(way(claim(B, table), List.of(claim(A, behind)))).isEqualTo(Way.TOGETHER);
  }

  /** C served alone after B had gone. */
  @Test
  void whoHasLessThanSomebodyWhoIsDownWaitsForThatOne() {
    KeptTable mine = table(new Row(2, B, C));
    KeptTable lost = lost(new Row(5, A), 5, new Row(3, C));
    RunningCluster cluster = cluster(claim(B, mine), List.of(claim(A, lost)));
    assertThat(cluster.way(RestartPolicy.COMPLETE)).isEqualTo(Way.WAIT);
    assertThat(cluster.missing())
        .singleElement()
        .satisfies(at -> assertThat(at.uuid()).isEqualTo(C));
    assertThat(cluster.way(RestartPolicy.PARTIAL)).isEqualTo(Way.JOIN);
    KeptTable served = table(new Row(3, C));
    assertThat(way(claim(C, served), List.of(claim(A, lost)), claim(B, mine)))
        .as("that one comes back")
        .isEqualTo(Way.TOGETHER);
    assertThat(way(claim(B, mine), List.of(claim(A, lost)), claim(C, served)))
        .isEqualTo(Way.TOGETHER);
  }

  /** C, which served alone after B had gone, never comes back: what B has is the best there is. */
  @Test
  void whoWaitsForAForgottenMemberBeginsTogetherWithItsOlderCopy() {
    KeptTable mine = table(new Row(2, B, C));
    RestartClaim running = forgetting(claim(A, lost(new Row(5, A), 5, new Row(3, C))), C);
    RunningCluster cluster = cluster(claim(B, mine), List.of(running));
    assertThat(cluster.way(RestartPolicy.COMPLETE)).isEqualTo(Way.TOGETHER);
    assertThat(cluster.missing()).isEmpty();
    RestartClaim stale = forgetting(claim(B, mine), A);
    assertThat(way(stale, List.of(claim(A, lost(new Row(5, A), 5, new Row(3, C))))))
        .as("who is here is not forgotten")
        .isEqualTo(Way.WAIT);
  }

  @Test
  void theNewestSetSaysWhoIsForgotten() {
    KeptTable mine = table(new Row(2, B, C));
    RestartClaim older = forgetting(claim(B, mine), C);
    RestartClaim running = claim(A, lost(new Row(5, A), 5, new Row(3, C)));
    RestartClaim newer =
        new RestartClaim(
            running.attempt(),
            running.member(),
            running.address(),
            running.history(),
            running.table(),
            LogState.LOADED,
            false,
            Set.of(),
            new Forgotten(3, 1, 1, Set.of()));
    assertThat(way(older, List.of(newer))).isEqualTo(Way.WAIT);
  }

  /** The running members have begun it empty, or with what was there. */
  @Test
  void whatWasGivenUpWithAForgottenMemberIsNotBroughtBack() {
    KeptTable mine = table(new Row(2, B, C));
    RestartClaim running = forgetting(claim(A, table(new Row(5, A))), C);
    assertThat(way(claim(B, mine), List.of(running))).isEqualTo(Way.JOIN);
  }

  @Test
  void whoHasNothingThatIsMissingJoins() {
    KeptTable mine = table(new Row(2, A, C), new Row(2, B, A));
    KeptTable running = table(new Row(2, C), new Row(3, A));
    assertThat(way(claim(B, mine), List.of(claim(A, running)))).isEqualTo(Way.JOIN);
    assertThat(way(claim(B, null), List.of(claim(A, running)))).isEqualTo(Way.JOIN);
  }

  @Test
  void ofAClusterThatGoesOnOnlyWithAllOfItsMembersNoneIsStopped() {
    KeptTable mine = table(new Row(2, B, C));
    RestartClaim running = claim(A, lost(new Row(5, A), 5, new Row(2, B, C)));
    RunningCluster two = cluster(claim(B, mine), List.of(running));
    assertThat(two.way(RestartPolicy.FULL)).isEqualTo(Way.WAIT);
    RunningCluster all = cluster(claim(B, mine), List.of(running), claim(C, mine));
    assertThat(all.way(RestartPolicy.FULL)).isEqualTo(Way.TOGETHER);
  }
}
