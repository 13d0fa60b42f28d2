package io.keyvalueserve.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.gates.latency.Latencies;
import io.keyvalueserve.tenancy.Door;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * The usage of a tenant on one member or on several.
 *
 * @param operationsPerSecond that were admitted
 * @param bytesInPerSecond that were read from its clients
 * @param bytesOutPerSecond that were written to its clients
 * @param throttled requests that were not admitted, since the members started
 * @param memoryBytes of its entries, with those of backups
 * @param entries with backups
 * @param connections that are open
 * @param locks that are held
 * @param waited how long its sessions wait to be served, in seconds a second, of late
 * @param longestWaitNanos the longest wait of the last 10 to 20 seconds
 * @param behind how much of {@code waited} which other tenants were served, by name: the most on
 *     each member
 * @param latencies how long its requests took in the last ten seconds, by door; none where there
 *     were no requests
 */
public record TenantUsage(
    double operationsPerSecond,
    double bytesInPerSecond,
    double bytesOutPerSecond,
    long throttled,
    long memoryBytes,
    long entries,
    long connections,
    long locks,
    double waited,
    long longestWaitNanos,
    Map<String, Double> behind,
    Map<Door, Latencies> latencies) {
  public TenantUsage {
    behind = Map.copyOf(behind);
    latencies = Map.copyOf(latencies);
  }

  /** The usage of a tenant that uses nothing. */
  public static final TenantUsage NOTHING =
      new TenantUsage(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of(), Map.of());

  private static final ObjectMapper JSON = new ObjectMapper();

  public TenantUsage plus(TenantUsage other) {
    Map<String, Double> sums = new HashMap<>(behind);
    other.behind.forEach((tenant, seconds) -> sums.merge(tenant, seconds, Double::sum));
    Map<Door, Latencies> merged = new EnumMap<>(Door.class);
    merged.putAll(latencies);
    other.latencies.forEach((door, each) -> merged.merge(door, each, Latencies::plus));
    return new TenantUsage(
        operationsPerSecond + other.operationsPerSecond,
        bytesInPerSecond + other.bytesInPerSecond,
        bytesOutPerSecond + other.bytesOutPerSecond,
        throttled + other.throttled,
        memoryBytes + other.memoryBytes,
        entries + other.entries,
        connections + other.connections,
        locks + other.locks,
        waited + other.waited,
        Math.max(longestWaitNanos, other.longestWaitNanos),
        sums,
        merged);
  }

  /** Returns this usage with each entry counted once. */
  TenantUsage once(int copies) {
    return new TenantUsage(
        operationsPerSecond,
        bytesInPerSecond,
        bytesOutPerSecond,
        throttled,
        memoryBytes / copies,
        entries / copies,
        connections,
        locks,
        waited,
        longestWaitNanos,
        behind,
        latencies);
  }

  /** Returns the form that members send to each other, in one line. */
  String encode() {
    ObjectNode line = JSON.createObjectNode();
    line.put("operationsPerSecond", operationsPerSecond);
    line.put("bytesInPerSecond", bytesInPerSecond);
    line.put("bytesOutPerSecond", bytesOutPerSecond);
    line.put("throttled", throttled);
    line.put("memoryBytes", memoryBytes);
    line.put("entries", entries);
    line.put("connections", connections);
    line.put("locks", locks);
    line.put("waited", waited);
    line.put("longestWaitNanos", longestWaitNanos);
    ObjectNode others = line.putObject("behind");
    behind.forEach(others::put);
    ObjectNode doors = line.putObject("latency");
    latencies.forEach((door, each) -> doors.put(door.label(), each.encode()));
    return line.toString();
  }

  /**
   * Reads what {@link #encode} made; what a member of another version does not say is 0.
   *
   * @throws IllegalArgumentException if it is no such thing
   */
  static TenantUsage decode(String text) {
    try {
      JsonNode line = JSON.readTree(text);
      return new TenantUsage(
          line.path("operationsPerSecond").asDouble(),
          line.path("bytesInPerSecond").asDouble(),
          line.path("bytesOutPerSecond").asDouble(),
          line.path("throttled").asLong(),
          line.path("memoryBytes").asLong(),
          line.path("entries").asLong(),
          line.path("connections").asLong(),
          line.path("locks").asLong(),
          line.path("waited").asDouble(),
          line.path("longestWaitNanos").asLong(),
          behind(line.path("behind")),
          latencies(line.path("latency")));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no tenant's usage: " + e.getOriginalMessage(), e);
    }
  }

  private static Map<Door, Latencies> latencies(JsonNode doors) {
    Map<Door, Latencies> latencies = new EnumMap<>(Door.class);
    for (Door door : Door.values()) {
      Latencies each = Latencies.decode(doors.path(door.label()).asText());
      if (each.count() > 0) {
        latencies.put(door, each);
      }
    }
    return latencies;
  }

  /** Returns the latencies of its requests in the last ten seconds, at all doors. */
  public Latencies latency() {
    return latencies.values().stream().reduce(Latencies.NONE, Latencies::plus);
  }

  private static Map<String, Double> behind(JsonNode others) {
    Map<String, Double> behind = new HashMap<>();
    others.properties().forEach(each -> behind.put(each.getKey(), each.getValue().asDouble()));
    return behind;
  }
}
