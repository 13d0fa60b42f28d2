package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What hit ratios came to, for people and as JSON.
 *
 * @param conditions how it was measured
 */
record HitsReport(String conditions, List<HitsResult> results) {

  /** What issue and design ask of active tenants. */
  private static final double KEPT = 0.98;

  String table() {
    StringBuilder table = new StringBuilder(conditions).append('\n');
    table.append(
        String.format(
            Locale.ROOT,
            "%-10s %13s %13s %8s %13s %13s%n",
            "",
            "active alone",
            "active beside",
            "kept",
            "quiet beside",
            "requests/s"));
    for (HitsResult result : results) {
      table.append(
          String.format(
              Locale.ROOT,
              "%-10s %12.2f%% %12.2f%% %8.4f %12.2f%% %,13.0f%n",
              result.subject(),
              100 * result.aloneHits(),
              100 * result.besideHits(),
              result.kept(),
              100 * result.quietHits(),
              result.beside().requestsPerSecond()));
    }
    table.append("kept: beside divided by alone, of the active tenant that loses most.\n");
    goals().forEach(goal -> table.append(goal).append('\n'));
    return table.toString();
  }

  private List<Goal> goals() {
    return results.stream()
        .filter(result -> !result.subject().isRedis() && !result.subject().isStock())
        .map(
            result ->
                new Goal(
                    result.subject() + ": what active tenants keep of their hits",
                    result.kept(),
                    false,
                    KEPT))
        .toList();
  }

  String json() {
    ObjectNode all = Json.object().put("conditions", conditions);
    all.set(
        "servers",
        Json.array(
            results,
            result ->
                Json.object()
                    .put("server", result.subject().toString())
                    .put("active", result.active())
                    .put("kept", result.kept())
                    .put("quietHits", result.quietHits())
                    .putPOJO("alone", result.alone())
                    .putPOJO("beside", result.beside())));
    all.set("goals", Json.array(goals(), Goal::json));
    return Json.text(all);
  }

  void write(Path folder) throws IOException {
    Files.writeString(folder.resolve("hits.txt"), table());
    Files.writeString(folder.resolve("hits.json"), json());
  }
}
