package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A crash test as JSON: the sums, every round, and violations. */
final class CrashJson {
  /** As many are told in full as anybody will read; the rounds have the counts. */
  private static final int MOST = 1000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private CrashJson() {}

  /** Writes a file. */
  static void write(Path file, String conditions, CrashReport sums, List<CrashRound> rounds)
      throws IOException {
    ObjectNode all = JSON.createObjectNode();
    double[] restarts = sums.restartSeconds();
    all.put("conditions", conditions)
        .putPOJO("writes", sums.writes())
        .put("lost", sums.lost())
        .put("oldestLostSeconds", sums.oldestLostSeconds())
        .put("restartMedianSeconds", restarts[restarts.length / 2])
        .put("restartLongestSeconds", restarts[restarts.length - 1]);
    ArrayNode violations = all.putArray("violations");
    for (Violation violation : sums.violations().stream().limit(MOST).toList()) {
      violations
          .addObject()
          .put("key", violation.key())
          .put("kind", violation.kind().name())
          .put("text", violation.text());
    }
    ArrayNode rows = all.putArray("rounds");
    rounds.forEach(round -> rows.add(json(round)));
    JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), all);
  }

  private static ObjectNode json(CrashRound round) {
    Check.Result found = round.found();
    return JSON.createObjectNode()
        .put("round", round.number())
        .put("kill", round.kind().toString())
        .put("afterSeconds", round.afterNanos() / 1e9)
        .put("kills", round.kills())
        .put("killsDuringRecovery", round.duringRecovery())
        .put("killDuringMigration", round.duringMigration())
        .putPOJO("writes", round.writes())
        .put("restartSeconds", round.restartNanos() / 1e9)
        .put("keys", found.present())
        .put("lost", found.lost())
        .put("oldestLostSeconds", found.oldestLostNanos() / 1e9)
        .put("readErrors", found.readErrors())
        .put("violations", found.violations().size());
  }
}
