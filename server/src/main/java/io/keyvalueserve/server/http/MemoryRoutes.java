package io.keyvalueserve.server.http;

import static io.helidon.http.Method.GET;
import static io.helidon.http.Method.POST;
import static io.keyvalueserve.server.http.Access.OPERATOR;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.keyvalueserve.memory.PoolReport;
import io.keyvalueserve.memory.SlabReport;
import io.keyvalueserve.memory.TierReport;
import io.keyvalueserve.server.Administration;
import io.keyvalueserve.server.MemoryFacts.MapUsage;
import io.keyvalueserve.server.MemoryReport;
import java.util.List;
import java.util.Locale;

/** The routes of {@code /api/v1/memory}. They speak of the member that is asked. */
final class MemoryRoutes {
  private static final double TEN_THOUSAND = 10_000;

  private final Administration administration;

  MemoryRoutes(Administration administration) {
    this.administration = administration;
  }

  List<Route> routes() {
    return List.of(
        new Route(GET, "/api/v1/memory", OPERATOR, "showMemory", this::show),
        new Route(POST, "/api/v1/memory/return-to-os", OPERATOR, "returnMemory", this::returnToOs));
  }

  private void show(ServerRequest request, ServerResponse response) {
    HttpDoor.json(response, Status.OK_200, json(administration.memory()));
  }

  private void returnToOs(ServerRequest request, ServerResponse response) {
    long bytes = administration.returnMemoryToOs();
    HttpDoor.json(
        response,
        Status.OK_200,
        HttpDoor.object()
            .put("returnedBytes", bytes)
            .put("residentBytes", administration.memory().residentBytes()));
  }

  static ObjectNode json(MemoryReport report) {
    ObjectNode body = HttpDoor.object();
    body.putObject("member")
        .put("uuid", report.member().uuid().toString())
        .put("address", report.member().address());
    body.put("capacityBytes", report.capacityBytes())
        .put("usedBytes", report.usedBytes())
        .put("residentBytes", report.residentBytes())
        .put("refusals", report.refusals())
        .put("pinnedBytes", report.pinnedBytes());
    ArrayNode tiers = body.putArray("tiers");
    report.tiers().forEach(tier -> add(tiers, tier));
    body.set("blocks", json(report.blocks()));
    ArrayNode tenants = body.putArray("tenants");
    report.tenants().forEach(usage -> add(tenants, usage).remove("map"));
    ArrayNode maps = body.putArray("maps");
    report.maps().forEach(usage -> add(maps, usage));
    return body;
  }

  private static void add(ArrayNode tiers, TierReport tier) {
    ArrayNode pools =
        tiers
            .addObject()
            .put("name", tier.name())
            .put("placement", tier.placement().name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .put("capacityBytes", tier.capacityBytes())
            .put("usedBytes", tier.usedBytes())
            .put("residentBytes", tier.residentBytes())
            .putArray("pools");
    for (PoolReport pool : tier.pools()) {
      ObjectNode json =
          pools
              .addObject()
              .put("name", pool.name())
              .put("kind", pool.kind())
              .put("detail", pool.detail());
      if (pool.node() >= 0) {
        json.put("node", pool.node());
      }
      json.put("capacityBytes", pool.capacityBytes())
          .put("usedBytes", pool.usedBytes())
          .put("residentBytes", pool.residentBytes())
          .put("returnedBytes", pool.returnedBytes())
          .put("largestFreeRunBytes", pool.largestFreeRunBytes())
          .put("externalFragmentation", rounded(pool.externalFragmentation()));
    }
  }

  private static ObjectNode json(SlabReport blocks) {
    return HttpDoor.object()
        .put("heldBytes", blocks.held())
        .put("cachedBytes", blocks.cached())
        .put("blockBytes", blocks.blocks())
        .put("requestedBytes", blocks.requested())
        .put("limboBytes", blocks.limbo())
        .put("internalFragmentation", rounded(blocks.internalFragmentation()))
        .put("slabFragmentation", rounded(blocks.slabFragmentation()));
  }

  /** A map of the service itself has no tenant. */
  private static ObjectNode add(ArrayNode list, MapUsage usage) {
    ObjectNode json = list.addObject();
    if (!usage.tenant().isEmpty()) {
      json.put("tenant", usage.tenant());
    }
    return json.put("map", usage.map())
        .put("entries", usage.entries())
        .put("backupEntries", usage.backupEntries())
        .put("bytes", usage.bytes());
  }

  private static double rounded(double part) {
    return Math.round(part * TEN_THOUSAND) / TEN_THOUSAND;
  }
}
