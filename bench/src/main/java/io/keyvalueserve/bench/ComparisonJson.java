package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** A comparison as JSON: every figure of every round. */
final class ComparisonJson {
  private ComparisonJson() {}

  /** The whole report. */
  static String of(
      String conditions,
      List<WarmUp.Result> warmUps,
      Map<Record, List<Cell>> groups,
      List<ChannelCurve> curves,
      List<TypeMemory> memory,
      List<Goal> goals) {
    ObjectNode all = Json.object();
    all.put("conditions", conditions);
    all.putPOJO("warmUps", warmUps);
    ArrayNode shapes = all.putArray("shapes");
    groups.forEach(
        (shape, cells) ->
            shapes
                .addObject()
                .put("name", shape.toString())
                .putPOJO("shape", shape)
                .set("servers", Json.array(cells, cell -> json(cell, cells.getFirst()))));
    if (!curves.isEmpty()) {
      all.set("channelCurves", Json.array(curves, ComparisonJson::json));
    }
    if (!memory.isEmpty()) {
      all.putPOJO("memory", memory);
    }
    if (!goals.isEmpty()) {
      all.set("goals", Json.array(goals, ComparisonJson::json));
    }
    return Json.text(all);
  }

  /** A figure and what it should be. */
  static ObjectNode json(Goal goal) {
    return Json.object()
        .put("what", goal.what())
        .put("figure", goal.figure())
        .put("atMost", goal.atMost())
        .put("bound", goal.bound())
        .put("met", goal.isMet());
  }

  private static ObjectNode json(Cell cell, Cell first) {
    ObjectNode node = Json.object();
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
    node.set("rounds", Json.array(cell.rounds(), ComparisonJson::json));
    return node;
  }

  private static ObjectNode json(Window window) {
    ObjectNode round =
        window
            .json()
            .putPOJO("operations", window.operations())
            .put("laterCpuMicros", window.laterCpuMicros())
            .put("companionsCpuMicros", window.companionsCpuMicros());
    if (window.offer().hasRate()) {
      round
          .put("offeredPerSecond", window.offer().perSecond())
          .put("loadLateP99Micros", window.offer().lateMicros(99));
    }
    return round;
  }

  private static ObjectNode json(ChannelCurve curve) {
    ObjectNode node = Json.object();
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
