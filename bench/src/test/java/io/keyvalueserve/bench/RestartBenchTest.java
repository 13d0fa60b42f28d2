package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command itself, with real servers and little data: that they come back with all of it, and
 * that every figure is there, not how good it is.
 */
class RestartBenchTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  @Test
  void restartsEveryServerWithItsData() throws IOException {
    assumeThat(Programs.here().find(Program.REDIS)).as("redis-server is installed").isPresent();
    JsonNode result =
        run(
            "--parts restarts --data 1m --value-bytes 1007 --cores 1 --rounds 1 --cache warm --durability everysec");
    assertThat(result.path("written")).hasSize(5);
    assertThat(result.path("restarts")).isNotEmpty();
    for (JsonNode shape : result.path("restarts")) {
      assertThat(shape.path("servers")).hasSize(7);
      for (JsonNode server : shape.path("servers")) {
        JsonNode round = server.at("/rounds/0");
        boolean empty = server.path("server").asText().endsWith("empty");
        assertThat(round.path("firstGetSeconds").asDouble()).isPositive();
        assertThat(round.path("allSeconds").asDouble())
            .isGreaterThanOrEqualTo(round.path("firstGetSeconds").asDouble());
        assertThat(round.path("loadingSeconds").asDouble())
            .as("%s says how long it loaded", server.path("server"))
            .isGreaterThan(empty ? -1 : 0);
      }
      assertThat(shape.at("/servers/0/rounds/0/logBytes").asLong()).isGreaterThan(1 << 20);
    }
    assertThat(result.at("/diskMibPerSecond/0/cachedWrite").asDouble()).isPositive();
    assertThat(result.at("/memoryMibPerSecond/0/touch").asDouble()).isPositive();
    assertThat(folder.resolve("servers")).as("is deleted").doesNotExist();
  }

  private JsonNode run(String options) throws IOException {
    List<String> words = new ArrayList<>(List.of(("bench restart " + options).split(" ")));
    words.addAll(List.of("--results", folder.toString()));
    Ran.endsWith(0, words);
    return JSON.readTree(folder.resolve("restart.json").toFile());
  }
}
