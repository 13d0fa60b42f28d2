package io.keyvalueserve.hazelcast;

import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measures the CPU time that threads of a member in this JVM take for a query of each kind. */
final class QueryBench {
  private static final int RUNS = 30;

  private QueryBench() {}

  static void run(String name, HazelcastInstance client, int entries) {
    IMap<String, GenericRecord> map = client.getMap("people");
    map.addIndex(IndexType.SORTED, "age");
    Map<String, GenericRecord> batch = new HashMap<>();
    for (int i = 0; i < entries; i++) {
      batch.put(
          "key-" + i,
          GenericRecordBuilder.compact("person")
              .setString("name", "name-" + i)
              .setInt32("age", i % 1000)
              .setBoolean("active", i % 2 == 0)
              .setString("pad", "x".repeat(40))
              .build());
      if (batch.size() == 1000) {
        map.putAll(batch);
        batch.clear();
      }
    }
    map.putAll(batch);
    List<Predicate<String, GenericRecord>> queries =
        List.of(
            Predicates.lessThan("age", 500),
            Predicates.sql("active = true and age < 990"),
            Predicates.sql("age < 250 or age > 750"),
            Predicates.equal("age", 77));
    for (int q = 0; q < queries.size(); q++) {
      long cpu = 0;
      int rows = 0;
      for (int i = 0; i < 2 * RUNS; i++) {
        long before = serverNanos();
        rows = map.values(queries.get(q)).size();
        if (i >= RUNS) {
          cpu += serverNanos() - before;
        }
      }
      System.out.printf(
          "BENCH %s entries=%d Q%d rows=%d cpu=%.3f ms a query%n",
          name, entries, q, rows, cpu / 1e6 / RUNS);
    }
  }

  /** The CPU time of all threads but the one that asks and those of clients. */
  private static long serverNanos() {
    var threads = ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      var info = threads.getThreadInfo(id);
      if (info != null
          && !info.getThreadName().contains(".client_")
          && !info.getThreadName().contains("client.")
          && id != Thread.currentThread().threadId()) {
        sum += Math.max(0, threads.getThreadCpuTime(id));
      }
    }
    return sum;
  }
}
