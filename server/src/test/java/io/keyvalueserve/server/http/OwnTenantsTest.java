package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.TenantName;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OwnTenantsTest {
  private static List<TenantName> names(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> new TenantName("t" + i)).toList();
  }

  @Test
  void thoseThatDoMostAreChosenThenThoseThatKeepMost() {
    Set<TenantName> chosen =
        OwnTenants.choose(Set.of(), names(100, 130), names(200, 300), names(0, 50));
    assertThat(chosen).hasSize(OwnTenants.MOST).containsAll(names(100, 130));
    assertThat(chosen).containsAll(names(200, 200 + OwnTenants.MOST - 30));
  }

  @Test
  void fewTenantsAreFilledUp() {
    assertThat(OwnTenants.choose(Set.of(), names(7, 8), List.of(), names(0, 20))).hasSize(20);
  }

  /** Series that come and go are of no use: a tenant stays while it is among twice as many. */
  @Test
  void aTenantKeepsItsSeriesWhileItIsNotFarBehind() {
    Set<TenantName> before = new LinkedHashSet<>(names(0, OwnTenants.MOST));
    List<TenantName> busiest = names(OwnTenants.MOST - 10, 2 * OwnTenants.MOST);
    Set<TenantName> chosen = OwnTenants.choose(before, busiest, List.of(), names(0, 50));
    assertThat(chosen).hasSize(OwnTenants.MOST);
    assertThat(chosen).containsAll(names(OwnTenants.MOST - 10, OwnTenants.MOST));
    assertThat(chosen).as("far behind").doesNotContain(new TenantName("t0"));
  }

  @Test
  void theRestNeverCountsBack() {
    RestCounter rest = new RestCounter();
    assertThat(rest.update(100)).isEqualTo(100);
    assertThat(rest.update(60)).as("somebody has its own series now").isEqualTo(100);
    assertThat(rest.update(65)).isEqualTo(105);
    rest.joins(1_000);
    assertThat(rest.update(1_066)).as("somebody has none any more").isEqualTo(106);
  }
}
