package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.cli.KvsCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the crash test itself can be believed. Method: a Redis server with and without a log, which
 * is known to keep and to lose what it acknowledged.
 */
class CrashBenchTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  @BeforeEach
  void needsRedis() {
    assumeTrue(Programs.here().find(Program.REDIS).isPresent(), "redis-server is not installed");
  }

  @Test
  void findsNothingWhereAServerKeepsWhatItAcknowledged() throws IOException {
    JsonNode result = run(0, "--durability always --rounds 3 --seed 3");
    assertThat(result.path("violations")).isEmpty();
    assertThat(result.path("rounds")).hasSize(3);
    assertThat(result.at("/writes/acknowledged").asLong()).isPositive();
    assertThat(result.path("lost").asLong()).isZero();
    for (JsonNode round : result.path("rounds")) {
      assertThat(round.path("kills").asInt()).isPositive();
      assertThat(round.path("keys").asInt()).isPositive();
    }
    assertThat(folder.resolve("servers")).as("is deleted where all is well").doesNotExist();
  }

  @Test
  void findsWhatAServerWithoutALogHasLost() throws IOException {
    JsonNode result = run(1, "--durability none --promise always --rounds 3 --seed 4 --copy");
    assertThat(result.path("violations")).isNotEmpty();
    assertThat(result.path("rounds")).as("ends at the first violation").hasSize(1);
    assertThat(result.at("/violations/0/kind").asText()).isIn("LOST", "GONE_EARLY");
    assertThat(folder.resolve("servers/redis/data")).isDirectory();
    assertThat(folder.resolve("servers/redis/crashed")).isDirectory();
    assertThat(folder.resolve("servers/redis/output.log")).isNotEmptyFile();
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThat(KvsCommand.run("bench", "crash", "--of", "redis", "--members", "3")).isEqualTo(2);
    assertThat(KvsCommand.run("bench", "crash", "--of", "redis", "--disk", "unsynced-is-lost"))
        .isEqualTo(2);
    assertThat(KvsCommand.run("bench", "crash", "--disk", "wet")).isEqualTo(2);
    assertThat(KvsCommand.run("bench", "crash", "--transactions=post")).isEqualTo(2);
    assertThat(KvsCommand.run("bench", "crash", "--transactions", "--of", "redis")).isEqualTo(2);
    assertThat(KvsCommand.run("bench", "crash", "--value-bytes", "3-9")).isEqualTo(2);
    assertThat(KvsCommand.run("bench", "crash", "--value-bytes", "many")).isEqualTo(2);
    assertThat(KvsCommand.run("bench", "crash", "--keys", "2", "--writers", "3")).isEqualTo(2);
  }

  private JsonNode run(int exitCode, String options) throws IOException {
    String line = "bench crash --of redis --longest 0.5 --keys 500 " + options + " --results";
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    words.add(folder.toString());
    Ran.endsWith(exitCode, words);
    return JSON.readTree(folder.resolve("crash.json").toFile());
  }
}
