package io.keyvalueserve.server.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** A small load of each tenant through a real Redis client, and how fast it goes. */
final class DemoLoad implements AutoCloseable {
  private static final int KEYS = 1_000;
  private static final int READS_IN_TEN = 7;
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  private final List<Worker> workers = new ArrayList<>();

  private DemoLoad() {}

  static DemoLoad start(int port, Map<String, String> keys) {
    DemoLoad load = new DemoLoad();
    keys.forEach((tenant, key) -> load.workers.add(new Worker(port, tenant, key)));
    load.workers.forEach(worker -> worker.thread.start());
    return load;
  }

  /** Each tenant's operations since the last call. */
  String line() {
    StringBuilder line = new StringBuilder();
    for (Worker worker : workers) {
      line.append(String.format("%s %,d ops/s   ", worker.tenant, worker.done.sumThenReset()));
    }
    return line.toString().stripTrailing();
  }

  @Override
  public void close() {
    workers.forEach(worker -> worker.running = false);
    for (Worker worker : workers) {
      try {
        worker.thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static final class Worker {
    private final int port;
    private final String tenant;
    private final String key;
    private final LongAdder done = new LongAdder();
    private final Thread thread;
    private volatile boolean running = true;

    Worker(int port, String tenant, String key) {
      this.port = port;
      this.tenant = tenant;
      this.key = key;
      this.thread = Thread.ofVirtual().name("demo-" + tenant).unstarted(this::work);
    }

    private void work() {
      DefaultJedisClientConfig client =
          DefaultJedisClientConfig.builder()
              .user(tenant)
              .password(key)
              .autoNegotiateProtocol(false)
              .build();
      ThreadLocalRandom random = ThreadLocalRandom.current();
      try (Jedis jedis = new Jedis(new HostAndPort("127.0.0.1", port), client)) {
        while (running) {
          String entry = "order:" + random.nextInt(KEYS);
          if (random.nextInt(10) < READS_IN_TEN) {
            jedis.get(entry);
          } else {
            jedis.set(entry, tenant + " " + random.nextLong());
          }
          done.increment();
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      } catch (JedisException e) {
        if (running) {
          throw e;
        }
      }
    }
  }
}
