package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A comparison as JSON: every figure of every round. */
final class ComparisonJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ComparisonJson() {}

  /** Writes a file. */
  static void write(
      Path file,
      String conditions,
      List<WarmUp.Result> warmUps,
      Map<Record, List<Cell>> groups,
      List<ChannelCurve> curves,
      List<Goal> goals)
      throws IOException {
    ObjectNode all = JSON.createObjectNode();
    all.put("conditions", conditions);
    all.putPOJO("warmUps", warmUps);
    ArrayNode shapes = all.putArray("shapes");
    groups.forEach(
        (shape, cells) -> {
          ObjectNode group = shapes.addObject();
          group.put("name", shape.toString());
          group.putPOJO("shape", shape);
          ArrayNode servers = group.putArray("servers");
          cells.forEach(cell -> servers.add(json(cell, cells.getFirst())));
        });
    if (!curves.isEmpty()) {
      ArrayNode drawn = all.putArray("channelCurves");
      curves.forEach(curve -> drawn.add(json(curve)));
    }
    if (!goals.isEmpty()) {
      ArrayNode held = all.putArray("goals");
      goals.forEach(goal -> held.add(json(goal)));
    }
    JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), all);
  }

  /** A figure and what it should be. */
  static ObjectNode json(Goal goal) {
    return JSON.createObjectNode()
        .put("what", goal.what())
        .put("figure", goal.figure())
        .put("atMost", goal.atMost())
        .put("bound", goal.bound())
        .put("met", goal.isMet());
  }

  private static ObjectNode json(Cell cell, Cell first) {
    ObjectNode node = JSON.createObjectNode();
    node.put("server", cell.server());
    node.put("loadBound", cell.mostly(Window::isLoadBound));
    node.put("rateMissed", cell.mostly(Window::isRateMissed));
    node.put("disturbed", cell.mostly(Window::isDisturbed));
    if (!cell.isOf(first)) {
      ObjectNode ratios = node.putObject("ratiosOfFirst");
      ratios.put("serverCpu", first.ratio(cell, Window::serverCpuMicros));
      ratios.put("operationsPerSecond", first.ratio(cell, Window::operationsPerSecond));
      ratios.put("p99", first.ratio(cell, w -> w.micros(99)));
    }
    ArrayNode rounds = node.putArray("rounds");
    cell.rounds().forEach(window -> rounds.add(json(window)));
    return node;
  }

  private static ObjectNode json(Window window) {
    ObjectNode round = JSON.createObjectNode();
    round.putPOJO("operations", window.operations());
    round.put("operationsPerSecond", window.operationsPerSecond());
    round.put("serverCpuMicros", window.serverCpuMicros());
    round.put("laterCpuMicros", window.laterCpuMicros());
    round.put("companionsCpuMicros", window.companionsCpuMicros());
    round.put("p50Micros", window.micros(50));
    round.put("p99Micros", window.micros(99));
    round.put("p999Micros", window.micros(99.9));
    round.put("longestMicros", window.micros(100));
    round.put("serverBusy", window.serverBusy());
    round.put("loadBusy", window.loadBusy());
    round.put("othersOnServerCore", window.others());
    if (window.offer().hasRate()) {
      round.put("offeredPerSecond", window.offer().perSecond());
      round.put("loadLateP99Micros", window.offer().lateMicros(99));
    }
    return round;
  }

  private static ObjectNode json(ChannelCurve curve) {
    ObjectNode node = JSON.createObjectNode();
    node.put("workload", curve.mix().name());
    node.put("pipeline", curve.pipeline());
    node.put("members", curve.members());
    node.putPOJO("connections", curve.connections());
    ArrayNode series = node.putArray("series");
    for (int channels : curve.cells().keySet()) {
      series
          .addObject()
          .put("channels", channels)
          .putPOJO("entryCpuMicros", curve.cpuMicros(channels))
          .putPOJO("operationsPerSecond", curve.operationsPerSecond(channels));
    }
    return node;
  }
}
