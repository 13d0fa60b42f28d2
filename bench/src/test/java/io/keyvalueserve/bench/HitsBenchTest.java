package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.cli.KvsCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HitsBenchTest {
  private static final Set<HitsSubject> ONE_OF_EACH =
      EnumSet.of(HitsSubject.KVS_EVICT, HitsSubject.REDIS_LRU, HitsSubject.STOCK_LFU);

  @TempDir private Path folder;

  /** A cache of as many keys as fit, in the order in which they were written. */
  private static final class FirstComeCache implements HitsClient {
    private final List<Integer> kept;
    private final int most;

    FirstComeCache(List<Integer> kept, int most) {
      this.kept = kept;
      this.most = most;
    }

    @Override
    public int ask(int[] keys) {
      int hits = 0;
      for (int key : keys) {
        if (kept.contains(key)) {
          hits++;
        } else if (kept.size() < most) {
          kept.add(key);
        }
      }
      return hits;
    }

    @Override
    public void close() {}
  }

  @Test
  void whatFitsIsFoundAndActiveTenantsAskTenTimesAsOften() {
    List<Integer> asked = new ArrayList<>();
    List<HitsClient> clients = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int tenant = i;
      HitsClient all = new FirstComeCache(new ArrayList<>(), i == 2 ? 0 : 10);
      clients.add(
          new HitsClient() {
            @Override
            public int ask(int[] keys) {
              asked.add(tenant);
              return all.ask(keys);
            }

            @Override
            public void close() {}
          });
    }
    HitsLoad.Ratios ratios = new HitsLoad(1, 2, 10, 20_000).run(clients, part -> {});
    assertThat(ratios.hits().getFirst()).isEqualTo(1);
    assertThat(ratios.hits().get(1)).isEqualTo(1);
    assertThat(ratios.hits().get(2)).isZero();
    long ofFirst = asked.stream().filter(tenant -> tenant == 0).count();
    assertThat((double) ofFirst / asked.size()).isBetween(0.78, 0.88);
  }

  @Test
  void tellsWhatTheTenantThatLosesMostKeeps() {
    HitsLoad.Ratios alone = new HitsLoad.Ratios(List.of(0.9, 0.8), 1_000);
    HitsLoad.Ratios beside = new HitsLoad.Ratios(List.of(0.9, 0.4, 0.3), 900);
    HitsResult result = new HitsResult(HitsSubject.KVS_EVICT, 2, alone, beside);
    HitsReport report = new HitsReport("here", List.of(result));
    assertThat(result.kept()).isEqualTo(0.5);
    assertThat(report.table()).contains("85.00%", "65.00%", "0.5000", "30.00%", "MISSED");
    assertThat(report.json()).contains("\"met\" : false");
  }

  /** One of each kind, as far as they are here. */
  @Test
  void whereThereIsRoomForAllEveryServerFindsTheSame() throws IOException {
    List<String> subjects =
        HitsSubject.possible(Programs.here()).stream()
            .filter(subject -> ONE_OF_EACH.contains(subject))
            .map(HitsSubject::toString)
            .toList();
    List<String> words =
        new ArrayList<>(
            List.of(
                "bench",
                "hits",
                "--memory",
                "32m",
                "--requests",
                "2000",
                "--keys",
                "500",
                "--quiet",
                "1",
                "--active",
                "1",
                "--subjects",
                String.join(",", subjects),
                "--results",
                folder.toString()));
    Ran.endsWith(0, words);
    JsonNode servers =
        new ObjectMapper().readTree(folder.resolve("hits.json").toFile()).path("servers");
    assertThat(servers).hasSameSizeAs(subjects);
    JsonNode found = servers.path(0).path("beside").path("hits");
    assertThat(found.path(0).asDouble()).isBetween(0.5, 1.0);
    for (JsonNode server : servers) {
      assertThat(server.path("beside").path("hits"))
          .as("%s, where there is room for all", server.path("server"))
          .isEqualTo(found);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--active 0", "--quiet 0", "--keys 1", "--value 0", "--requests 1", "--memory 1m"})
  void refusesWhatCannotBeMeasured(String options) {
    assertThat(KvsCommand.run(("bench hits " + options).split(" ", -1))).isEqualTo(2);
  }
}
