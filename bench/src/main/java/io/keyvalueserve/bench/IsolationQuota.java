package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * What a tenant may take of a server. 0 is unlimited.
 *
 * @param operationsPerSecond operations
 * @param bytesInPerSecond of requests
 * @param bytesOutPerSecond of replies
 * @param memoryBytes of all its entries
 * @param entries in all its maps
 * @param connections open at once
 * @param locks held at once
 */
record IsolationQuota(
    long operationsPerSecond,
    long bytesInPerSecond,
    long bytesOutPerSecond,
    long memoryBytes,
    long entries,
    int connections,
    int locks) {
  static final IsolationQuota UNLIMITED = new IsolationQuota(0, 0, 0, 0, 0, 0, 0);

  /**
   * That of an aggressor: a small part of what a core can do, and room for the entries that it has
   * from the beginning and as many again.
   *
   * @param entries that it has from the beginning
   * @param valueBytes of each
   */
  static IsolationQuota ofAggressor(int entries, int valueBytes) {
    long each = valueBytes + 100L;
    return new IsolationQuota(
        5_000, 10 << 20, 10 << 20, (64L << 20) + 2L * entries * each, 2L * entries, 50, 100);
  }

  /** What nobody reaches: the limits are kept count of, and hold nobody back. */
  static IsolationQuota ample() {
    return new IsolationQuota(
        1_000_000_000,
        100_000_000_000L,
        100_000_000_000L,
        1L << 40,
        1_000_000_000,
        1_000_000,
        1_000_000);
  }

  /** As the server's API takes it: what is unlimited is absent. */
  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    put(json, "operationsPerSecond", operationsPerSecond);
    put(json, "bytesInPerSecond", bytesInPerSecond);
    put(json, "bytesOutPerSecond", bytesOutPerSecond);
    put(json, "memoryBytes", memoryBytes);
    put(json, "entries", entries);
    put(json, "connections", connections);
    put(json, "locks", locks);
    return json;
  }

  private static void put(ObjectNode json, String name, long limit) {
    if (limit > 0) {
      json.put(name, limit);
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d ops/s, %,d B/s in, %,d B/s out, %,d B, %,d entries, %,d connections, %,d locks",
        operationsPerSecond,
        bytesInPerSecond,
        bytesOutPerSecond,
        memoryBytes,
        entries,
        connections,
        locks);
  }
}
