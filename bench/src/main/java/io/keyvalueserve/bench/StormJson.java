package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Storms as JSON: every figure of every round. */
final class StormJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private StormJson() {}

  /** Writes a file. */
  static void write(Path file, String conditions, Map<StormShape, List<StormResult>> groups)
      throws IOException {
    ObjectNode all = JSON.createObjectNode();
    all.put("conditions", conditions);
    ArrayNode storms = all.putArray("storms");
    groups.forEach(
        (shape, results) -> {
          ObjectNode storm = storms.addObject();
          storm.put("name", shape.toString());
          storm.putPOJO("shape", shape);
          ArrayNode rows = storm.putArray("results");
          results.forEach(result -> rows.add(json(result)));
        });
    JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), all);
  }

  private static ObjectNode json(StormResult result) {
    ObjectNode node = JSON.createObjectNode();
    node.put("server", result.server());
    node.put("round", result.round());
    Opening opening = result.opening();
    node.putObject("opening")
        .put("asked", opening.asked())
        .put("answered", opening.answered())
        .put("seconds", opening.seconds())
        .put("firstP50Millis", opening.millis(50))
        .put("firstP99Millis", opening.millis(99))
        .put("firstLongestMillis", opening.millis(100))
        .put("serverCpuMicros", opening.serverCpuMicros())
        .put("queueOverflows", opening.overflows())
        .putPOJO("refused", opening.refusals());
    Window window = result.activity().window();
    node.putObject("active")
        .put("operationsPerSecond", window.operationsPerSecond())
        .put("serverCpuMicros", window.serverCpuMicros())
        .put("p50Micros", window.micros(50))
        .put("p99Micros", window.micros(99))
        .put("p999Micros", window.micros(99.9))
        .put("longestMicros", window.micros(100))
        .put("loadLateP99Micros", result.activity().lateMicros(99))
        .put("serverBusy", window.serverBusy())
        .put("othersOnServerCore", window.others())
        .put("loadBusy", window.loadBusy())
        .put("disturbed", window.isDisturbed())
        .putPOJO("lost", result.activity().losses());
    node.putObject("memory")
        .putPOJO("before", result.before())
        .putPOJO("open", result.opened())
        .putPOJO("closed", result.closed())
        .put("heapBytesForEach", result.heapBytesEach())
        .put("residentBytesForEach", result.residentBytesEach())
        .put("heapBytesKeptForEach", result.heapBytesKept())
        .put("residentBytesKeptForEach", result.residentBytesKept())
        .put("filesKept", result.filesKept())
        .put("closedInSeconds", result.closedNanos() / 1e9)
        .put("healthy", result.healthy());
    return node;
  }
}
