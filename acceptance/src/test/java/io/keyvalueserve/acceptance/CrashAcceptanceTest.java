package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.server.cli.KvsCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: nothing that was acknowledged is lost when members are killed, as far as was promised.
 * Method: the short form of {@code kvs bench crash}, which docs/durability.md explains; data and
 * logs of a failure stay in {@code target/servers}.
 */
class CrashAcceptanceTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void alwaysLosesNothingThatWasAcknowledged() throws IOException {
    JsonNode result = run("always", 0, "--rounds 2 --longest 1 --durability always");
    assertThat(result.path("lost").asLong()).isZero();
  }

  @Test
  void everysecLosesNothingThatIsOlderThanASecond() throws IOException {
    JsonNode result = run("everysec", 0, "--rounds 1 --longest 3 --durability everysec");
    assertThat(result.at("/rounds/0/afterSeconds").asDouble())
        .as("or it shows little")
        .isGreaterThan(2);
  }

  @Test
  void threeMembersThatAreKilledComeBackWithWhatTheyHad() throws IOException {
    String options = "--rounds 1 --longest 1 --members 3 --kill together --durability always";
    JsonNode result = run("three", 0, options);
    assertThat(result.path("lost").asLong()).isZero();
  }

  /** A kill alone would leave with the kernel what was written and not synced. */
  @Test
  void alwaysLosesNothingWhenWhatWasNotSyncedGoesWithTheProcess() throws IOException {
    String options = "--rounds 2 --longest 1 --durability always --disk unsynced-is-lost";
    JsonNode result = run("unsynced", 0, options);
    assertThat(result.path("lost").asLong()).isZero();
    assertThat(result.path("conditions").asText()).contains("unsynced-is-lost");
  }

  /** Else the one before would prove nothing. */
  @Test
  void theLossOfADiskThatNeverSyncsIsFound() throws IOException {
    JsonNode result =
        run("never-synced", 1, "--rounds 1 --longest 1 --durability always --disk never-synced");
    assertThat(result.at("/rounds/0/violations").asLong()).isPositive();
  }

  /** Else the others would prove nothing. */
  @Test
  void withoutALogTheLossIsFound() throws IOException {
    JsonNode result = run("none", 1, "--rounds 1 --longest 1 --durability none --promise always");
    assertThat(result.at("/rounds/0/violations").asLong()).isPositive();
  }

  private static JsonNode run(String name, int exitCode, String options) throws IOException {
    Path results = Scratch.newFolder("crash-" + name);
    String line = "bench crash --seed 22 --keys 2000 " + options + " --results";
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    words.add(results.toString());
    assertThat(KvsCommand.run(words.toArray(String[]::new)))
        .as("what was found is in %s", results)
        .isEqualTo(exitCode);
    JsonNode result = JSON.readTree(results.resolve("crash.json").toFile());
    assertThat(result.at("/writes/acknowledged").asLong()).isPositive();
    Scratch.delete(results);
    return result;
  }
}
