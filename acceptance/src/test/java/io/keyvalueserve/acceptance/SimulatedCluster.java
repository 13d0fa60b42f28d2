package io.keyvalueserve.acceptance;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Route;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers of an API with very many tenants and members, which a page gets in the place of the real
 * one's. Each live stream has one event and ends; the page then asks for the next.
 */
final class SimulatedCluster {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
  private static final long QUOTA = 10_000;

  private final int tenants;
  private final int members;
  private final AtomicInteger events = new AtomicInteger();

  SimulatedCluster(int tenants, int members) {
    this.tenants = tenants;
    this.members = members;
  }

  /** Answers for the API from now on, in all pages of a context. */
  void answerIn(BrowserContext context) {
    context.route(
        "**/api/v1/me", route -> json(route, JSON.createObjectNode().put("role", "operator")));
    context.route("**/api/v1/tenants", route -> json(route, states()));
    context.route("**/api/v1/quotas", route -> json(route, quotas()));
    context.route("**/api/v1/top", route -> json(route, top()));
    context.route("**/api/v1/live", this::live);
  }

  /** How many live events were sent. */
  int events() {
    return events.get();
  }

  private void live(Route route) {
    String event = "data: " + frame(events.incrementAndGet()) + "\n\n";
    route.fulfill(
        new Route.FulfillOptions()
            .setStatus(200)
            .setHeaders(Map.of("Content-Type", "text/event-stream"))
            .setBody(event));
  }

  private static void json(Route route, ObjectNode body) {
    route.fulfill(
        new Route.FulfillOptions()
            .setStatus(200)
            .setContentType("application/json")
            .setBody(body.toString()));
  }

  /** All figures are others in each event, so that everything that is shown changes. */
  private ObjectNode frame(int number) {
    ObjectNode frame =
        JSON.createObjectNode().put("at", BEGIN.plusSeconds(number).toString()).put("safe", true);
    ArrayNode all = frame.putArray("members");
    for (int i = 0; i < members; i++) {
      String address = "10.0." + i / 250 + "." + i % 250 + ":5801";
      ObjectNode member = all.addObject();
      member
          .put("uuid", UUID.nameUUIDFromBytes(address.getBytes(StandardCharsets.UTF_8)).toString())
          .put("address", address)
          .put("local", i == 0)
          .put("partitions", 2 + (i + number) % 2)
          .put("state", "active")
          .put("operationsPerSecond", Math.floorMod(i * 7919L + number, QUOTA))
          .set("latency", latency(i + number));
      member
          .putObject("log")
          .put("appendedBytesPerSecond", Math.floorMod(i * 31L + number, 1L << 20))
          .put("liveBytes", (long) (i + 1) << 20)
          .put("deadBytes", (long) number << 10);
    }
    ObjectNode memory =
        frame
            .putObject("memory")
            .put("capacityBytes", 4L << 30)
            .put("usedBytes", (1L << 30) + ((long) number << 20));
    for (String tier : new String[] {"dram", "cxl"}) {
      ObjectNode one = memory.withArray("tiers").addObject().put("name", tier);
      one.put("capacityBytes", 2L << 30).put("usedBytes", (1L << 29) + ((long) number << 19));
    }
    ArrayNode each = frame.putArray("tenants");
    for (int i = 0; i < tenants; i++) {
      long operations = Math.floorMod(i * 7919L + number * 104_729L, QUOTA);
      ObjectNode tenant = each.addObject();
      tenant
          .put("tenant", name(i))
          .put("operationsPerSecond", operations)
          .put("bytesInPerSecond", operations * 120)
          .put("bytesOutPerSecond", operations * 90)
          .put("memoryBytes", (long) (i + 1) * (1 << 20) + number)
          .put("entries", i * 1_000L + number)
          .put("connections", Math.floorMod(i + number, 50))
          .put("throttledPerSecond", operations > QUOTA - 40 ? 12 : 0)
          .put("waitedMillisPerSecond", Math.floorMod(i * 31 + number, 90))
          .put("longestWaitMillis", Math.floorMod(i + number, 20))
          .set("latency", latency(i + number));
    }
    frame.set("latency", latency(number));
    frame.putArray("silent");
    return frame;
  }

  private static ObjectNode latency(int seed) {
    double median = 0.1 + Math.floorMod(seed * 7, 20) / 100.0;
    return JSON.createObjectNode()
        .put("requests", 1_000)
        .put("p50Millis", median)
        .put("p99Millis", median * (10 + Math.floorMod(seed, 9)))
        .put("p999Millis", median * 30)
        .put("maxMillis", median * 40);
  }

  private ObjectNode states() {
    ObjectNode body = JSON.createObjectNode();
    ArrayNode all = body.putArray("tenants");
    for (int i = 0; i < tenants; i++) {
      all.addObject().put("tenant", name(i)).put("state", i % 50 == 49 ? "suspended" : "active");
    }
    return body;
  }

  private ObjectNode quotas() {
    ObjectNode body = JSON.createObjectNode();
    ArrayNode all = body.putArray("quotas");
    for (int i = 0; i < tenants; i++) {
      all.addObject()
          .put("tenant", name(i))
          .putObject("limits")
          .put("operationsPerSecond", QUOTA)
          .put("memoryBytes", 2L << 30);
    }
    return body;
  }

  private ObjectNode top() {
    ObjectNode body = JSON.createObjectNode();
    ArrayNode all = body.putArray("tenants");
    for (int i = 0; i < tenants; i++) {
      all.addObject()
          .put("tenant", name(i))
          .put("waitedMillisPerSecond", i % 90)
          .put("longestWaitMillis", i % 20)
          .putObject("behindMillisPerSecond")
          .put(name((i + 1) % tenants), i % 90);
    }
    body.putArray("silent");
    return body;
  }

  private static String name(int i) {
    return "tenant-%04d".formatted(i);
  }
}
