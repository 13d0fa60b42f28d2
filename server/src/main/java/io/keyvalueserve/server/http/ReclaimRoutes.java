package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.keyvalueserve.server.http.Access.OPERATOR;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.gates.reclaim.ReclaimReason;
import io.keyvalueserve.journal.spill.SpillStatistics;
import io.keyvalueserve.maps.reclaim.MemoryReclaimer.Held;
import io.keyvalueserve.maps.reclaim.MemoryReclaimer.Total;
import io.keyvalueserve.maps.reclaim.ReclaimHistory;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.ReclaimView;
import java.util.List;
import java.util.Locale;

/** The route of {@code /api/v1/memory/reclaimed}. It speaks of the member that is asked. */
final class ReclaimRoutes {
  private static final long MILLIS_PER_SECOND = 1000;

  private final Administration administration;

  ReclaimRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, "/api/v1/memory/reclaimed", OPERATOR, "showReclaimedMemory", this::show));
  }

  private void show(ServerRequest request, ServerResponse response) {
    HttpDoor.json(response, Status.OK_200, json(administration.reclaimed()));
  }

  private static ObjectNode json(ReclaimView view) {
    ObjectNode body = HttpDoor.object();
    body.putObject("member")
        .put("uuid", view.member().uuid().toString())
        .put("address", view.member().address());
    body.put("highPercent", view.config().highPercent())
        .put("lowPercent", view.config().lowPercent())
        .put("inactiveAfterSeconds", view.config().inactiveAfter().toSeconds())
        .put("lessActivePercent", view.config().lessActivePercent())
        .put("compactions", view.compactions())
        .put("compactedBytes", view.compactedBytes());
    if (view.spill() != null) {
      body.set("spill", json(view.spill()));
    }
    ArrayNode totals = body.putArray("totals");
    for (Total total : view.totals()) {
      totals
          .addObject()
          .put("tenant", total.tenant())
          .put("reason", text(total.reason()))
          .put("action", text(total.action()))
          .put("bytes", total.bytes())
          .put("records", total.records());
    }
    ArrayNode held = body.putArray("held");
    for (Held one : view.held()) {
      held.addObject().put("tenant", one.tenant()).put("times", one.times());
    }
    ArrayNode events = body.putArray("events");
    view.latest().forEach(event -> add(events, event));
    return body;
  }

  private static void add(ArrayNode events, ReclaimHistory.Event event) {
    ObjectNode json =
        events
            .addObject()
            .put("from", event.from().toString())
            .put("to", event.to().toString())
            .put("tenant", event.tenant())
            .put("action", text(event.action()))
            .put("reason", text(event.why().kind()))
            .put("why", words(event.why()))
            .put("bytes", event.bytes())
            .put("records", event.records());
    if (!event.obstacle().isEmpty()) {
      json.put("obstacle", event.obstacle());
    }
  }

  private static ObjectNode json(SpillStatistics spill) {
    return HttpDoor.object()
        .put("values", spill.values())
        .put("usedBytes", spill.usedBytes())
        .put("capacityBytes", spill.capacityBytes())
        .put("lostBytes", spill.lostBytes())
        .put("valuesWritten", spill.valuesWritten())
        .put("bytesWritten", spill.bytesWritten())
        .put("valuesRead", spill.valuesRead())
        .put("bytesRead", spill.bytesRead());
  }

  /** Returns why a tenant gave up memory, in words for people. */
  private static String words(ReclaimReason why) {
    return switch (why) {
      case ReclaimReason.OverQuota over -> over.bytes() + " bytes over its quota";
      case ReclaimReason.InactiveFor idle ->
          "has asked for nothing for " + idle.millis() / MILLIS_PER_SECOND + " s";
      case ReclaimReason.LessActive less ->
          String.format(
              Locale.ROOT,
              "uses %.1f entries a second, active is from %.1f on",
              less.usesPerSecond(),
              less.activeFrom());
      case ReclaimReason.OverFairShare over -> over.bytes() + " bytes over its fair share";
    };
  }

  /** Returns the form of a constant in answers and metrics. */
  static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
