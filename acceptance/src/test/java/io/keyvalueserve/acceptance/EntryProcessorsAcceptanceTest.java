package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tenants run the entry processors that the operator has listed, on their own entries only. */
class EntryProcessorsAcceptanceTest {
  @Test
  void runsWhatIsListedAndRefusesWhatIsNot(@TempDir Path folder) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("kvs.yaml"),
            "extensions:\n  classes: [" + Increment.class.getName() + "]\n");
    try (KvsProcess server = new KvsProcess("entry-processors")) {
      server.launch("--config", config.toString());
      server.awaitReady();
      Tenant acme = server.admin().createTenant("acme");
      Tenant globex = server.admin().createTenant("globex");
      try (var ours = HazelcastClients.connect(server, acme);
          var theirs = HazelcastClients.connect(server, globex)) {
        IMap<String, Integer> counts = ours.client().getMap("counts");
        theirs.client().getMap("counts").put("a", 100);
        counts.putAll(Map.of("a", 1, "b", 2));
        assertThat(counts.executeOnKey("a", new Increment(5))).isEqualTo(6);
        assertThat(counts.executeOnKeys(Set.of("a", "b"), new Increment(1)))
            .isEqualTo(Map.of("a", 7, "b", 3));
        assertThat(counts.executeOnEntries(new Increment(1), Predicates.sql("this > 5")))
            .isEqualTo(Map.of("a", 8));
        assertThat(counts.getAll(Set.of("a", "b"))).isEqualTo(Map.of("a", 8, "b", 3));
        assertThat(theirs.client().getMap("counts").get("a")).isEqualTo(100);
        assertThatThrownBy(() -> counts.executeOnKey("a", new NotListed()))
            .hasMessageContaining(NotListed.class.getName())
            .hasMessageContaining("extensions");
        assertThat(counts.get("a")).isEqualTo(8);
      }
    }
  }

  /** Adds a number to a value. */
  record Increment(int by) implements EntryProcessor<String, Integer, Integer> {
    @Override
    public Integer process(Map.Entry<String, Integer> entry) {
      int next = entry.getValue() + by;
      entry.setValue(next);
      return next;
    }
  }

  /** Is on the server's class path too. */
  static final class NotListed implements EntryProcessor<String, Integer, Integer> {
    @Override
    public Integer process(Map.Entry<String, Integer> entry) {
      return entry.setValue(0);
    }
  }
}
