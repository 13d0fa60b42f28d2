package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each aggressor in short beside a victim, at a real member: nobody is starved. Whatever the
 * aggressor does and however slow the machine is, the victim is served all that it asks for within
 * the ten seconds that it waits, without an error. How fast is for who measures.
 */
class IsolationBenchTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SHORT =
      " --short --seconds 0.2 --warm-up 0.2 --entries 1000 --rate 500 --connections 8";

  /** At that rate in that time. */
  private static final long ASKED = 100;

  @TempDir private Path folder;

  @Test
  void noAggressorStarvesTheVictimAndEveryEqualTenantIsServed() throws IOException {
    JsonNode results =
        run("--parts aggressors,fairness --subjects kvs --huge-value 8m --tenants 3", folder);
    assertThat(results.path("aggressors")).hasSize(IsolationAggression.values().length);
    results.path("aggressors").forEach(IsolationBenchTest::isServed);
    JsonNode fairness = results.at("/fairness/0");
    assertThat(fairness.at("/rounds/0/servedInAll")).hasSize(3);
    for (JsonNode served : fairness.at("/rounds/0/servedInAll")) {
      assertThat(served.asLong()).isPositive();
    }
    assertThat(fairness.path("minMax").asDouble()).isBetween(0.0, 1.0);
    assertThat(results.path("goals")).hasSize(2 * (IsolationAggression.values().length - 1) + 1);
  }

  private static void isServed(JsonNode result) {
    String name = result.path("aggressor").asText();
    assertThat(result.path("note").asText()).as(name).isEmpty();
    JsonNode round = result.at("/rounds/0");
    for (String part : List.of("alone", "beside")) {
      JsonNode victim = round.path(part);
      assertThat(victim.path("asked").asLong()).as(name).isEqualTo(ASKED);
      assertThat(victim.path("errors").toString()).as(name + ", " + part).isEqualTo("{}");
      assertThat(victim.path("answered").asLong()).as(name + ", " + part).isEqualTo(ASKED);
      assertThat(victim.path("slowest")).as(name + ", " + part).hasSize((int) ASKED / 100);
    }
    if (name.equals(IsolationAggression.PEERS.toString())) {
      JsonNode peers = round.at("/aggressor/peers/inAll");
      assertThat(peers.path("wanted").asInt()).isEqualTo(400);
      assertThat(peers.path("open").asDouble()).isPositive();
    } else if (!name.equals(IsolationAggression.CONTROL.toString())) {
      // Peers may have done no more than connect in so short a time.
      assertThat(round.at("/aggressor/answeredInAll").asLong()).as(name).isPositive();
    }
    assertThat(round.at("/aggressor/errors").toString()).as(name).isEqualTo("{}");
  }

  /** Runs the bench for moments, and returns what it found. */
  static JsonNode run(String options, Path folder) throws IOException {
    String line = "bench isolation " + options + SHORT + " --results";
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    words.add(folder.toString());
    Ran.endsWith(0, words);
    return JSON.readTree(folder.resolve("isolation.json").toFile());
  }
}
