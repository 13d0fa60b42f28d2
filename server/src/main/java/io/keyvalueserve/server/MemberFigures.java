package io.keyvalueserve.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.gates.latency.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a member, as it reports them itself.
 *
 * @param uuid its identity
 * @param name as it is configured
 * @param loading whether it still loads what its disk has
 * @param operationsPerSecond that it admits of all tenants
 * @param connections of Redis and Hazelcast clients
 * @param latencies of all requests of the last ten seconds
 * @param tiers of its memory
 * @param log null if it keeps none
 */
public record MemberFigures(
    UUID uuid,
    String name,
    boolean loading,
    double operationsPerSecond,
    long connections,
    Latencies latencies,
    List<Tier> tiers,
    @Nullable Log log) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String UUID_FIELD = "uuid";
  private static final String NAME = "name";
  private static final String LOADING = "loading";
  private static final String OPERATIONS = "operationsPerSecond";
  private static final String CONNECTIONS = "connections";
  private static final String LATENCY = "latency";
  private static final String TIERS = "tiers";
  private static final String CAPACITY = "capacityBytes";
  private static final String USED = "usedBytes";
  private static final String LOG = "log";
  private static final String APPENDED = "appendedBytesPerSecond";
  private static final String LIVE = "liveBytes";
  private static final String DEAD = "deadBytes";

  public MemberFigures {
    tiers = List.copyOf(tiers);
  }

  /** A tier of memory: what it may hold, and what is taken of it. */
  public record Tier(String name, long capacityBytes, long usedBytes) {}

  /**
   * A log.
   *
   * @param appendedBytesPerSecond in the last ten seconds
   * @param liveBytes what of its sealed chunks has to be kept, an estimate
   * @param deadBytes what of them nobody needs any more
   */
  public record Log(double appendedBytesPerSecond, long liveBytes, long deadBytes) {}

  /** Returns the form that members send to each other, in one line. */
  String encode() {
    ObjectNode line =
        JSON.createObjectNode()
            .put(UUID_FIELD, uuid.toString())
            .put(NAME, name)
            .put(LOADING, loading)
            .put(OPERATIONS, operationsPerSecond)
            .put(CONNECTIONS, connections)
            .put(LATENCY, latencies.encode());
    ArrayNode each = line.putArray(TIERS);
    for (Tier tier : tiers) {
      each.addObject()
          .put(NAME, tier.name())
          .put(CAPACITY, tier.capacityBytes())
          .put(USED, tier.usedBytes());
    }
    if (log != null) {
      line.putObject(LOG)
          .put(APPENDED, log.appendedBytesPerSecond())
          .put(LIVE, log.liveBytes())
          .put(DEAD, log.deadBytes());
    }
    return line.toString();
  }

  /**
   * Reads what {@link #encode} made.
   *
   * @throws IllegalArgumentException if it is no such thing
   */
  static MemberFigures decode(String text) {
    try {
      JsonNode line = JSON.readTree(text);
      List<Tier> tiers = new ArrayList<>();
      for (JsonNode tier : line.path(TIERS)) {
        tiers.add(
            new Tier(
                tier.path(NAME).asText(), tier.path(CAPACITY).asLong(), tier.path(USED).asLong()));
      }
      JsonNode log = line.path(LOG);
      return new MemberFigures(
          UUID.fromString(line.path(UUID_FIELD).asText()),
          line.path(NAME).asText(),
          line.path(LOADING).asBoolean(),
          line.path(OPERATIONS).asDouble(),
          line.path(CONNECTIONS).asLong(),
          Latencies.decode(line.path(LATENCY).asText()),
          tiers,
          log.isObject()
              ? new Log(
                  log.path(APPENDED).asDouble(), log.path(LIVE).asLong(), log.path(DEAD).asLong())
              : null);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no member's figures: " + e.getOriginalMessage(), e);
    }
  }
}
