package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Restarts as JSON: every figure of every round. */
final class RestartJson {
  private RestartJson() {}

  /** The whole report. */
  static String of(String conditions, RestartResults results) {
    ObjectNode all = Json.object();
    all.put("conditions", conditions);
    all.putPOJO("diskMibPerSecond", results.disk());
    all.putPOJO("memoryMibPerSecond", results.memory());
    ArrayNode fills = all.putArray("written");
    results.fills().forEach((_, row) -> row.forEach(fill -> fills.add(json(fill))));
    ArrayNode shapes = all.putArray("restarts");
    results
        .cells()
        .forEach(
            (shape, cells) -> {
              ObjectNode group = data(shape.data()).put("name", shape.toString());
              group.put("cores", shape.cores()).put("cold", shape.cold());
              ArrayNode servers = group.putArray("servers");
              cells.forEach(cell -> servers.add(json(cell, cells.getFirst(), results)));
              shapes.add(group);
            });
    all.set("goals", Json.array(RestartGoals.of(results), ComparisonJson::json));
    all.putPOJO("seed003", SeedFigures.ALL);
    return Json.text(all);
  }

  private static ObjectNode data(RestartData data) {
    return Json.object()
        .put("dataBytes", data.bytes())
        .put("valueBytes", data.valueBytes())
        .put("entries", data.entries());
  }

  private static ObjectNode json(Fill fill) {
    return data(fill.data())
        .put("server", fill.kind().toString())
        .put("seconds", fill.nanos() / 1e9)
        .put("writesPerSecond", fill.writesPerSecond())
        .put("mibPerSecond", fill.mibPerSecond())
        .put("serverCpuMicros", fill.cpuMicros())
        .put("fileBytes", fill.diskBytes());
  }

  private static ObjectNode json(RestartCell cell, RestartCell first, RestartResults results) {
    ObjectNode node = Json.object().put("server", cell.kind().toString());
    if (!cell.kind().isEmpty()) {
      RestartCell empty = results.empty(cell);
      double more = cell.moreSeconds(empty);
      node.put("firstGetSeconds", cell.median(Restart::firstSeconds))
          .put("allSeconds", cell.median(Restart::allSeconds))
          .put("servedShare", known(cell.servedShare(empty)))
          .put("secondsBeyondEmpty", known(more))
          .put("mibPerSecondBeyondEmpty", known(cell.mibPerSecond(more)))
          .put("loadingSeconds", cell.median(r -> r.loading().seconds()))
          .put("logMibPerSecond", cell.median(r -> r.loading().mibPerSecond()));
      if (cell.kind() != first.kind()) {
        node.putObject("firstIsFaster")
            .put("firstGet", first.faster(cell, Restart::firstSeconds))
            .put("all", first.faster(cell, Restart::allSeconds))
            .put("beyondEmpty", known(first.fasterBeyondEmpty(results.empty(first), cell, empty)))
            .put("loading", first.faster(cell, r -> r.loading().seconds()));
      }
    }
    ArrayNode rounds = node.putArray("rounds");
    for (Restart restart : cell.rounds()) {
      rounds
          .addObject()
          .put("firstGetSeconds", restart.firstSeconds())
          .put("allSeconds", restart.allSeconds())
          .put("cpuSeconds", restart.cpuSeconds())
          .put("others", restart.others())
          .put("loadingSeconds", restart.loading().seconds())
          .put("logBytes", restart.loading().bytes());
    }
    return node;
  }

  private static @Nullable Double known(double figure) {
    return Double.isNaN(figure) ? null : figure;
  }
}
