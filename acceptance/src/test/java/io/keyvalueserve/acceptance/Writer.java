package io.keyvalueserve.acceptance;

import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Writes one new key after the other until it is told to stop, and remembers each that was
 * acknowledged. A write that fails is not repeated: nobody promised anything about it.
 */
final class Writer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * Between two writes: what they write is read again, which is not to be what tests are busy with.
   */
  private static final long PAUSE_NANOS = 200_000;

  private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
  private final Set<String> failures = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Thread thread;

  private Writer(String name, Target target) {
    this.thread =
        Thread.ofPlatform()
            .name("writer-" + name)
            .daemon()
            .start(
                () -> {
                  try (target) {
                    for (long i = 0; !stopped.get(); i++) {
                      try {
                        if (target.write(name + ":" + i, name + "-value-" + i)) {
                          acknowledged.put(name + ":" + i, name + "-value-" + i);
                        }
                      } catch (RuntimeException e) {
                        failures.add(e.toString());
                      }
                      LockSupport.parkNanos(PAUSE_NANOS);
                    }
                  }
                });
  }

  /** Writes through Redis; when a connection breaks it goes on to the next member. */
  static Writer overResp(String name, List<KvsProcess> members, Tenant tenant, String map) {
    return new Writer(name, new RespTarget(members, tenant, map));
  }

  /** Writes through a Hazelcast client, which the caller shuts down. */
  static Writer overHazelcast(String name, HazelcastInstance client, String map) {
    return new Writer(name, new HazelcastTarget(client, map));
  }

  /** What was acknowledged so far; grows while the writer writes. */
  Map<String, String> acknowledged() {
    return acknowledged;
  }

  /** Waits until every writer had so many more acknowledgements than now. */
  static void awaitMore(List<Writer> writers, int more) {
    Map<Writer, Integer> enough =
        writers.stream()
            .collect(
                Collectors.toMap(writer -> writer, writer -> writer.acknowledged().size() + more));
    await("the writers go on")
        .atMost(PATIENCE)
        .until(
            () ->
                enough.entrySet().stream()
                    .allMatch(e -> e.getKey().acknowledged().size() >= e.getValue()));
  }

  /** What the service answered in the place of an acknowledgement; broken connections are not. */
  Set<String> failures() {
    return failures;
  }

  /** Stops, and waits until nothing is under way any more. */
  @Override
  public void close() {
    stopped.set(true);
    try {
      thread.join(60_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new AssertionError(thread.getName() + " hangs in a write");
    }
  }

  /** Where a writer writes to; used by its thread only. */
  private interface Target extends AutoCloseable {
    /** Whether the write was acknowledged; if not, the connection broke. */
    boolean write(String key, String value);

    @Override
    void close();
  }

  private static final class RespTarget implements Target {
    private final List<KvsProcess> members;
    private final Tenant tenant;
    private final String map;
    private int current;
    private @Nullable Jedis jedis;

    RespTarget(List<KvsProcess> members, Tenant tenant, String map) {
      this.members = members;
      this.tenant = tenant;
      this.map = map;
    }

    @Override
    public boolean write(String key, String value) {
      try {
        Jedis connected = jedis;
        if (connected == null) {
          connected = RedisDoor.jedis(members.get(current), tenant, map);
          jedis = connected;
        }
        return connected.set(key, value).equals("OK");
      } catch (JedisConnectionException broken) {
        close();
        current = (current + 1) % members.size();
        return false;
      }
    }

    @Override
    public void close() {
      if (jedis != null) {
        jedis.close();
        jedis = null;
      }
    }
  }

  private record HazelcastTarget(HazelcastInstance client, String map) implements Target {
    @Override
    public boolean write(String key, String value) {
      client.<String, String>getMap(map).set(key, value);
      return true;
    }

    @Override
    public void close() {}
  }
}
