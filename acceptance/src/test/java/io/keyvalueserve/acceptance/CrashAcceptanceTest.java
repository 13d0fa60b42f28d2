package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Goal: nothing that was acknowledged is lost when members are killed, as far as was promised.
 * Method: the short form of {@code kvs bench crash}, which docs/durability.md explains; data and
 * logs of a failure stay in {@code target/servers}.
 */
class CrashAcceptanceTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long PATIENCE_MINUTES = 5;

  @Test
  void alwaysLosesNothingThatWasAcknowledged() throws Exception {
    JsonNode result = run("always", 0, "--rounds 1 --longest 1 --durability always");
    assertThat(result.path("lost").asLong()).isZero();
  }

  @Test
  void everysecLosesNothingThatIsOlderThanASecond() throws Exception {
    JsonNode result = run("everysec", 0, "--rounds 1 --longest 3 --durability everysec");
    assertThat(result.at("/rounds/0/afterSeconds").asDouble())
        .as("or it shows little")
        .isGreaterThan(2);
  }

  @Test
  void threeMembersThatAreKilledComeBackWithWhatTheyHad() throws Exception {
    String options = "--rounds 1 --longest 1 --members 3 --kill together --durability always";
    JsonNode result = run("three", 0, options);
    assertThat(result.path("lost").asLong()).isZero();
  }

  /** A kill alone would leave with the kernel what was written and not synced. */
  @Test
  void alwaysLosesNothingWhenWhatWasNotSyncedGoesWithTheProcess() throws Exception {
    String options = "--rounds 2 --longest 1 --durability always --disk unsynced-is-lost";
    JsonNode result = run("unsynced", 0, options);
    assertThat(result.path("lost").asLong()).isZero();
    assertThat(result.path("conditions").asText()).contains("unsynced-is-lost");
  }

  /** Else the one before would prove nothing. */
  @Test
  void theLossOfADiskThatNeverSyncsIsFound() throws Exception {
    JsonNode result =
        run("never-synced", 1, "--rounds 1 --longest 1 --durability always --disk never-synced");
    assertThat(result.at("/rounds/0/violations").asLong()).isPositive();
  }

  /** Else the others would prove nothing. */
  @Test
  void withoutALogTheLossIsFound() throws Exception {
    JsonNode result = run("none", 1, "--rounds 1 --longest 1 --durability none --promise always");
    assertThat(result.at("/rounds/0/violations").asLong()).isPositive();
  }

  /**
   * Networks are cut, processes stopped and killed: each key's history is one of a single machine.
   */
  @Test
  @Tag("flaky") // docs/flaky.md
  @EnabledIfSystemProperty(named = "kvs.test.flaky", matches = "on")
  void historiesAreLinearizableThroughFaults() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "network namespaces need root");
    String options = "--members 3 --nemesis cut,pause,kill --minutes 0.6";
    Path results = bench("nemesis", 0, options);
    JsonNode result = JSON.readTree(results.resolve("nemesis.json").toFile());
    assertThat(result.path("rounds")).isNotEmpty();
    long done = 0;
    for (JsonNode round : result.path("rounds")) {
      assertThat(round.path("undecided").asInt()).isZero();
      done += round.path("done").asLong();
    }
    assertThat(done).as("operations that were checked").isGreaterThan(1_000);
    Scratch.delete(results);
  }

  /**
   * Members are stopped and killed: transactions of Redis and HTTP clients on the same keys are as
   * if they had been carried out one after the other.
   */
  @Test
  void transactionsAreSerializableThroughFaults() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "network namespaces need root");
    Path results = bench("transactions", 0, "--transactions --minutes 0.1");
    JsonNode result = JSON.readTree(results.resolve("nemesis.json").toFile());
    assertThat(result.path("rounds")).isNotEmpty();
    for (String way : List.of("Redis MULTI", "Redis WATCH", "Redis EVAL", "Redis SINGLE", "HTTP")) {
      assertThat(result.path("carriedOut").path(way).asLong()).as(way).isPositive();
    }
    Scratch.delete(results);
  }

  private static JsonNode run(String name, int exitCode, String options) throws Exception {
    Path results = bench(name, exitCode, options);
    JsonNode result = JSON.readTree(results.resolve("crash.json").toFile());
    assertThat(result.at("/writes/acknowledged").asLong()).isPositive();
    Scratch.delete(results);
    return result;
  }

  /** Runs the bench, and returns the folder with its results. */
  private static Path bench(String name, int exitCode, String options) throws Exception {
    Path results = Scratch.newFolder("crash-" + name);
    String line = "bench crash --seed 22 --keys 2000 " + options + " --results";
    ProcessBuilder bench =
        new ProcessBuilder(ServerJvm.command((line + " " + results).split(" ")))
            .redirectErrorStream(true)
            .redirectOutput(results.resolve("output.log").toFile());
    bench.environment().put("KVS_JAVA_OPTS", ServerJvm.CHOSEN); // for the members that are killed
    Process process = bench.start();
    try {
      assertThat(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as("what was found is in %s", results).isEqualTo(exitCode);
    } finally {
      process.destroy();
    }
    return results;
  }
}
