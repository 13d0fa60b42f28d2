package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartReportTest {
  private static final RestartData DATA = new RestartData(1024 << 20, 1007);
  private static final RestartShape SHAPE = new RestartShape(DATA, 2, true);
  private static final LoadStatement LOADING = new LoadStatement(1, 1100 << 20);

  @Test
  void comparesWholeStartsThoseBeyondEmptyOnesAndWhatServersSay(@TempDir Path folder)
      throws IOException {
    RestartResults results = results(1.5);
    RestartReport report = new RestartReport("here", results);
    report.write(folder);

    assertThat(report.table())
        .contains("1,024 MiB, values of 1,007 B", "2 cores, cold cache")
        .containsPattern(
            "kvs everysec +2\\.300 +2\\.500 +410 +1\\.500 +1\\.000 +1,024 +1\\.000 +1,100 ")
        .containsPattern("redis rdb +5\\.000 .* 2\\.17 +2\\.00 +4\\.50 +4\\.40\n")
        .contains("100 GiB", "first time, in huge pages, MiB/s: 700");
    JsonNode json = new ObjectMapper().readTree(folder.resolve("restart.json").toFile());
    JsonNode servers = json.at("/restarts/0/servers");
    assertThat(servers.at("/0/secondsBeyondEmpty").asDouble()).isEqualTo(1, within(1e-9));
    assertThat(servers.at("/2/firstIsFaster/beyondEmpty").asDouble()).isEqualTo(4.5, within(1e-9));
    assertThat(servers.at("/2/rounds")).hasSize(3);
    assertThat(json.at("/diskMibPerSecond/0/directReads").asDouble()).isEqualTo(1200);
    assertThat(json.at("/memoryMibPerSecond/0/touches").asDouble()).isEqualTo(1300);
    assertThat(servers.at("/0/servedShare").asDouble()).isEqualTo(0.8, within(1e-3));
    assertThat(json.at("/written/0/writesPerSecond").asDouble()).isPositive();
    assertThat(json.path("seed003")).hasSize(3);
    assertThat(folder.resolve("restart-seconds.svg")).content().contains("redis empty, 1,024 MiB");
    assertThat(folder.resolve("restart-speed.svg")).content().contains("seed 003", "the disk");
  }

  /** 80 % of 1,200 MiB/s, the most that was seen of the disk, is less than 1.5 GiB/s. */
  @Test
  void holdsRestartsToTheDiskAndToRedis() {
    List<Goal> goals = RestartGoals.of(results(1.5));
    assertThat(goals).hasSize(5);
    assertThat(goals.get(0).bound()).isEqualTo(960);
    assertThat(goals.get(0).figure()).isEqualTo(1100);
    assertThat(goals.get(2).figure()).as("of 1 s, served after").isEqualTo(0.8, within(1e-3));
    assertThat(goals).filteredOn(goal -> !goal.isMet()).containsExactly(goals.get(2));
    assertThat(new Goal("less", 2, true, 1).isMet()).isFalse();
  }

  /** What loads all before it serves is held to the same speeds, and not to serving sooner. */
  @Test
  void holdsWhatIsClosedWhileItLoadsToSpeedsAlone() {
    RestartResults results = results(1.5);
    List<RestartCell> cells = results.cells().values().iterator().next();
    cells.add(1, cell(RestartKind.KVS_CLOSED, 2.2, LOADING));
    List<Goal> goals = RestartGoals.of(results);
    assertThat(goals).hasSize(9);
    assertThat(goals.subList(5, 9)).allMatch(goal -> goal.what().contains("kvs closed"));
    assertThat(goals.subList(5, 9)).noneMatch(goal -> goal.what().contains("first GET"));
  }

  @Test
  void doesNotTellWhatStartsDifferInAnyway() {
    RestartResults results = results(2.6); // an empty start took longer
    RestartReport report = new RestartReport("here", results);
    assertThat(report.table())
        .containsPattern("kvs everysec +2\\.300 +2\\.500 +410 +2\\.600 +- +- +1\\.000 ")
        .containsPattern("redis rdb +5\\.000 .* 2\\.17 +2\\.00 +- +4\\.40\n");
    assertThat(RestartGoals.of(results).get(1).figure()).as("what it says").isEqualTo(1024);
  }

  /** The same, if what is beyond an empty start is too little to be all that was loaded. */
  @Test
  void doesNotTellMoreOfADifferenceThanTheServerSaysItself() {
    RestartResults results = results(2.2);
    assertThat(new RestartReport("here", results).table())
        .containsPattern("kvs everysec +2\\.300 +2\\.500 +410 +2\\.200 +- +- +1\\.000 ");
    assertThat(RestartGoals.of(results).get(3).figure()).isEqualTo(4.4, within(1e-9));
  }

  @Test
  void saysWhatWasDisturbed() {
    RestartCell calm = cell(RestartKind.KVS_EMPTY, 1, LoadStatement.NONE);
    assertThat(calm.isDisturbed()).isFalse();
    long nanos = 1_000_000_000;
    CoreTimes busy = busy(nanos * Cores.count());
    RestartCell disturbed = new RestartCell(SHAPE, RestartKind.KVS_EMPTY);
    disturbed.rounds().add(new Restart(nanos, nanos, nanos / 2, busy, LoadStatement.NONE));
    assertThat(disturbed.isDisturbed()).isTrue();
  }

  private static RestartResults results(double ownEmptySeconds) {
    RestartResults results = new RestartResults();
    results.disk().add(new DiskLimits(3000, 900, 1200, 350, 600));
    results.memory().add(new MemoryLimits(700, 1300));
    Fill fill = new Fill(DATA, RestartKind.KVS_EVERYSEC, 4_000_000_000L, 2_000_000_000L, 1 << 30);
    results.fills().put(DATA, List.of(fill));
    results
        .cells()
        .put(
            SHAPE,
            new ArrayList<>(
                List.of(
                    cell(RestartKind.KVS_EVERYSEC, 2.5, LOADING),
                    cell(RestartKind.KVS_EMPTY, ownEmptySeconds, LoadStatement.NONE),
                    cell(RestartKind.REDIS_RDB, 5, new LoadStatement(4.4, 0)),
                    cell(RestartKind.REDIS_EMPTY, 0.5, LoadStatement.NONE))));
    return results;
  }

  /** Three rounds about the same, the middle one as told. */
  private static RestartCell cell(RestartKind kind, double seconds, LoadStatement loading) {
    RestartCell cell = new RestartCell(SHAPE, kind);
    for (double part : new double[] {0.9999, 1, 1.0001}) {
      long nanos = (long) (seconds * part * 1e9);
      long first = kind == RestartKind.KVS_EVERYSEC ? nanos - 200_000_000 : nanos;
      cell.rounds().add(new Restart(first, nanos, nanos / 2, busy(nanos / 2), loading));
    }
    return cell;
  }

  private static CoreTimes busy(long nanos) {
    return new CoreTimes(nanos, 0);
  }
}
