package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.cli.KvsCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostileBenchTest {
  private static final List<String> PROMISES =
      List.of(
          "times that the member ended",
          "members ready at the end",
          "wrong values of the victim",
          "errors of the victim",
          "kinds of secrets that a hostile peer received",
          "MiB more alive on the heap",
          "MiB more of direct memory",
          "more open descriptors",
          "peers that failed by themselves",
          "KiB of log",
          "lines of stack traces in the log");

  private static final HostileFootprint SMALL = new HostileFootprint(1 << 20, 1 << 20, 100, 50, 0);

  @TempDir private Path folder;

  /** Every peer draws anew, so each run of the suite tries other inputs; the seed is printed. */
  @Test
  void aMemberOutlivesPeersThatSpeakEveryProtocolBadlyAndIsBackWhereItWas() throws IOException {
    String line =
        "bench hostile --minutes 0.1 --rehearsal 4 --peers 4 --idle 100 --heap 256m --results ";
    int exit = KvsCommand.run((line + folder).split(" ", -1));
    JsonNode result = new ObjectMapper().readTree(folder.resolve("hostile.json").toFile());
    String verdict = result.path("verdict").asText();
    assertThat(result.path("kept").asBoolean()).as(verdict).isEqualTo(exit == 0);
    Set<String> seen = new HashSet<>();
    for (JsonNode goal : result.path("goals")) {
      String what = goal.path("what").asText();
      seen.add(what);
      if (PROMISES.contains(what)) {
        assertThat(goal.path("met").asBoolean()).as("%s: %s", what, verdict).isTrue();
      }
    }
    assertThat(seen).containsAll(PROMISES);
    for (HostileDoor door : HostileDoor.values()) {
      JsonNode strangers = result.path("doors").path(door + ", without a key");
      assertThat(strangers.path("sent").asLong()).as(door.toString()).isPositive();
    }
    assertThat(result.at("/victim/answered").asLong()).isPositive();
    assertThat(Files.readString(folder.resolve("last-inputs.txt"))).contains("seed=");
  }

  @Test
  void aSeedRepeatsEveryInputOfAConnection() {
    for (HostileGrammar grammar : grammars()) {
      HostileDice first = new HostileDice(7, HostileForce.MODERATE);
      HostileDice again = new HostileDice(7, HostileForce.MODERATE);
      for (int i = 0; i < 200; i++) {
        HostileInput input = grammar.draw(first, true);
        HostileInput same = grammar.draw(again, true);
        assertThat(same.kind()).isEqualTo(input.kind());
        assertThat(same.bytes()).as(input.kind()).isEqualTo(input.bytes());
      }
    }
  }

  @Test
  void everyGrammarDrawsValidAndChangedMessagesOfItsDoor() {
    for (HostileGrammar grammar : grammars()) {
      HostileDice dice = new HostileDice(1, HostileForce.FULL);
      Set<String> kinds = new HashSet<>();
      for (int i = 0; i < 3_000; i++) {
        kinds.add(grammar.draw(dice, i % 2 == 0).kind());
      }
      assertThat(kinds).as(grammar.door().toString()).hasSizeGreaterThan(5);
    }
  }

  private static List<HostileGrammar> grammars() {
    List<String> others = List.of("bench", "default");
    Login login = new Login(1, "kvs", "hostile", "key");
    return List.of(
        new HostileResp(List.of("hostile", "key"), others),
        new HostileHazelcast(login, HostileForce.MODERATE, others),
        new HostileHttp("hostile", "key", others),
        new HostileMember());
  }

  @Test
  void aSecretIsFoundInPiecesToo() {
    HostileSecrets secrets = new HostileSecrets(Map.of("the key", "kvs-secret", "a mark", "m-1"));
    HostileSecrets.Search search = secrets.search();
    for (String piece : List.of("nothing", "kvs-s", "ecr", "et and more")) {
      search.add(piece.getBytes(ISO_8859_1), piece.length());
    }
    assertThat(search.found()).containsExactly("the key");
  }

  @Test
  void countsLinesOfStackTracesAndNamesWhatCameBefore() throws IOException {
    Path log = folder.resolve("log");
    Files.writeString(
        log,
        """
        12:00 ERROR Door - a request failed
        java.lang.IllegalStateException: why
        \tat io.keyvalueserve.Door.serve(Door.java:12)
        \tat java.base/java.lang.Thread.run(Thread.java:1)
        12:01 INFO  Door - look at (this)
        """);
    HostileLog read = HostileLog.read(log);
    assertThat(read.traceLines()).isEqualTo(2);
    assertThat(read.samples()).containsExactly("java.lang.IllegalStateException: why");
    assertThat(read.bytes()).isEqualTo(Files.size(log));
  }

  @Test
  void saysInASentenceWhichPromiseWasNotKept() {
    HostileFootprint grown = new HostileFootprint(100 << 20, 1 << 20, 100, 50, 0);
    HostileReport kept = report(SMALL, Map.of(), Optional.empty());
    HostileReport leaking = report(SMALL, Map.of("the key after x", 2L), Optional.empty());
    HostileReport growing = report(grown, Map.of(), Optional.empty());
    HostileReport ended = report(SMALL, Map.of(), Optional.of("exit=3"));
    assertThat(kept.isKept()).isTrue();
    assertThat(kept.table()).contains("Every promise was kept.");
    assertThat(leaking.isKept()).isFalse();
    assertThat(leaking.table()).contains("received: the key after x: 2 times");
    assertThat(growing.verdict())
        .contains("A promise was not kept: MiB more alive on the heap: 99.0; at most 16.0")
        .contains("--seed 5");
    assertThat(ended.verdict()).contains("The member ended: exit=3");
    assertThat(ended.json()).contains("\"kept\" : false");
  }

  private static HostileReport report(
      HostileFootprint after, Map<String, Long> leaks, Optional<String> ended) {
    HostileResult result =
        new HostileResult(
            60,
            ended,
            ended.isEmpty(),
            SMALL,
            SMALL,
            Optional.of(after),
            1,
            new HostileVictim.Seen(1_000, 0, new TreeMap<>(), 1, 2, 3),
            Map.of(),
            Map.of(),
            0,
            0,
            leaks,
            new HostileLog(0, 0, List.of()),
            List.of(),
            new ArrayList<>());
    return new HostileReport("here", "--seed 5", result);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--minutes 0",
        "--rehearsal -1",
        "--peers 0",
        "--idle -1",
        "--memory 1m",
        "--heap 1m",
        "--inputs ("
      })
  void refusesWhatCannotBeRun(String options) {
    assertThat(KvsCommand.run(("bench hostile " + options).split(" ", -1))).isEqualTo(2);
  }
}
