package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What isolation came to, as JSON: every figure of every round. */
final class IsolationJson {
  private IsolationJson() {}

  /** The whole report. */
  static String of(IsolationReport report) {
    ObjectNode all = Json.object();
    all.put("conditions", report.conditions());
    all.putPOJO("warmUps", report.warmUps());
    all.set("aggressors", Json.array(report.results(), IsolationJson::json));
    all.set("fairness", Json.array(report.fairness(), IsolationJson::json));
    IsolationCost cost = report.cost();
    if (cost != null) {
      all.set("cost", json(cost));
    }
    all.set("goals", Json.array(report.goals(), Goal::json));
    return Json.text(all);
  }

  private static ObjectNode json(IsolationResult result) {
    ObjectNode node = Json.object();
    node.put("server", result.subject().toString());
    node.put("aggressor", result.kind().toString());
    node.put("limited", result.limited());
    node.put("note", result.note());
    if (result.isMeasured()) {
      node.put("throughputRatio", result.ratio(Window::operationsPerSecond));
      node.put("p50Ratio", result.ratio(window -> window.micros(50)));
      node.put("p99Ratio", result.ratio(window -> window.micros(99)));
      node.put("p999Ratio", result.ratio(window -> window.micros(99.9)));
    }
    ArrayNode rounds = node.putArray("rounds");
    for (IsolationResult.Round round : result.rounds()) {
      ObjectNode one = rounds.addObject();
      one.set("alone", json(round.alone()));
      one.set("beside", json(round.beside()));
      ObjectNode aggressor = one.putObject("aggressor");
      aggressor
          .put("answeredPerSecond", round.aggressorPerSecond())
          .put("refusedPerSecond", round.refusedPerSecond())
          .put("answeredInAll", round.aggressor().total())
          .put("failed", round.aggressor().failed())
          .putPOJO("errors", round.aggressor().errors());
      if (!round.aggressor().peers().isEmpty()) {
        ObjectNode peers = aggressor.putObject("peers");
        peers.set("inAll", json(round, round.aggressor().allPeers()));
        round
            .aggressor()
            .peers()
            .forEach((door, seen) -> peers.set(door.toString(), json(round, seen)));
      }
    }
    return node;
  }

  private static ObjectNode json(IsolationResult.Round round, KeylessSeen seen) {
    return Json.object()
        .put("wanted", seen.wanted())
        .put("open", seen.open())
        .put("openedPerSecond", round.perSecond(seen.opened()))
        .put("refusedPerSecond", round.perSecond(seen.refused()))
        .put("closedPerSecond", round.perSecond(seen.closed()));
  }

  private static ObjectNode json(IsolationSeen seen) {
    Window window = seen.window();
    ObjectNode node =
        window
            .json()
            .put("offeredPerSecond", window.offer().perSecond())
            .put("asked", seen.asked())
            .put("answered", seen.answered())
            .put("failed", seen.failed())
            .putPOJO("errors", seen.errors())
            .put("loadLateP99Micros", window.offer().lateMicros(99))
            .put("disturbed", window.isDisturbed());
    node.set(
        "slowest",
        Json.array(
            seen.slowest(),
            slow ->
                Json.object()
                    .put("dueMonotonicNanos", slow.due())
                    .put("sentMicrosLater", (slow.sent() - slow.due()) / 1e3)
                    .put("answeredMicrosLater", slow.nanos() / 1e3)));
    return node;
  }

  private static ObjectNode json(IsolationFairness fair) {
    ObjectNode node =
        Json.object()
            .put("server", fair.subject().toString())
            .put("minMax", fair.medianMinMax())
            .put("saturated", fair.isSaturated())
            .putPOJO("connectionsByPipeline", fair.loads());
    return node.set(
        "rounds",
        Json.array(
            fair.rounds(),
            round ->
                Json.object()
                    .put("minMax", round.minMax())
                    .put("seconds", round.nanos() / 1e9)
                    .put("serverBusy", round.serverBusy())
                    .put("coreBusy", round.coreBusy())
                    .put("failed", round.failed())
                    .putPOJO("served", round.served())
                    .putPOJO("servedInAll", round.total())));
  }

  private static ObjectNode json(IsolationCost cost) {
    ObjectNode node = Json.object();
    node.put("quotas", cost.hasQuotas());
    node.put("idleShareOfCore", cost.idle());
    node.putPOJO("warmUps", cost.warmUps());
    ArrayNode cells = node.putArray("cells");
    for (int i = 0; i < cost.cells().size(); i++) {
      Cell cell = cost.cells().get(i);
      ObjectNode one = cells.addObject();
      one.put("load", cell.shape().toString());
      one.put("case", cell.server());
      one.put("cpuRatio", cost.ratio(i));
      one.set(
          "rounds",
          Json.array(
              cell.rounds(), window -> window.json().put("disturbed", window.isDisturbed())));
    }
    return node;
  }
}
