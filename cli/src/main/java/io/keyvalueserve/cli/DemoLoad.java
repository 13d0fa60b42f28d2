package io.keyvalueserve.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/**
 * The load of the two tenants of the demonstration, through a real Redis client. Acme keeps orders.
 * Globex reads those that it was granted and has carts of its own; half of the time it sends more
 * than it may.
 */
final class DemoLoad implements AutoCloseable {
  private static final int KEYS = 1_000;
  private static final int READS_IN_TEN = 7;
  private static final int CART_SECONDS = 600;
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long CALM_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long WAVE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Counts acme = new Counts(DemoTenants.ACME);
  private final Counts globex = new Counts(DemoTenants.GLOBEX);
  private final List<Worker> workers = new ArrayList<>();

  private DemoLoad() {}

  static DemoLoad start(int port, DemoTenants tenants) {
    DemoLoad load = new DemoLoad();
    load.add(port, "acme/orders", tenants.acmeKey(), load.acme, DemoLoad::order);
    load.add(port, "globex/carts", tenants.globexKey(), load.globex, DemoLoad::cart);
    load.add(port, "globex/acme/orders", tenants.globexKey(), load.globex, DemoLoad::look);
    load.workers.forEach(worker -> worker.thread.start());
    return load;
  }

  private void add(int port, String user, String key, Counts counts, Step step) {
    workers.add(new Worker(port, user, key, counts, step));
  }

  /** One request of a client. */
  private interface Step {
    /** Returns how long to rest then, in nanoseconds. */
    long run(Jedis jedis, ThreadLocalRandom random);
  }

  private static long order(Jedis jedis, ThreadLocalRandom random) {
    int number = random.nextInt(KEYS);
    String key = (number % 2 == 0 ? DemoTenants.SHARED : "us:") + number;
    if (random.nextInt(10) < READS_IN_TEN) {
      jedis.get(key);
    } else {
      jedis.set(
          key, "{\"order\":" + number + ",\"items\":" + random.nextInt(1, 9) + ",\"paid\":true}");
    }
    return PAUSE_NANOS;
  }

  private static long cart(Jedis jedis, ThreadLocalRandom random) {
    String key = "cart:" + random.nextInt(KEYS);
    if (random.nextInt(10) < READS_IN_TEN) {
      jedis.get(key);
    } else {
      jedis.set(
          key, "{\"items\":" + random.nextInt(1, 9) + "}", SetParams.setParams().ex(CART_SECONDS));
    }
    boolean busy = System.nanoTime() / WAVE_NANOS % 2 == 0;
    return busy ? PAUSE_NANOS : CALM_PAUSE_NANOS;
  }

  private static long look(Jedis jedis, ThreadLocalRandom random) {
    jedis.get(DemoTenants.SHARED + 2 * random.nextInt(KEYS / 2));
    return CALM_PAUSE_NANOS;
  }

  /** Each tenant's operations since the last call. */
  String line() {
    return acme.text() + "   " + globex.text();
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

  private static final class Counts {
    private final String tenant;
    private final LongAdder done = new LongAdder();
    private final LongAdder refused = new LongAdder();

    Counts(String tenant) {
      this.tenant = tenant;
    }

    private String text() {
      return String.format(
          Locale.ROOT,
          "%s %,d ops/s, %,d refused",
          tenant,
          done.sumThenReset(),
          refused.sumThenReset());
    }
  }

  private static final class Worker {
    private final int port;
    private final String user;
    private final String key;
    private final Counts counts;
    private final Step step;
    private final Thread thread;
    private volatile boolean running = true;

    Worker(int port, String user, String key, Counts counts, Step step) {
      this.port = port;
      this.user = user;
      this.key = key;
      this.counts = counts;
      this.step = step;
      this.thread = Thread.ofVirtual().name("demo-" + user).unstarted(this::work);
    }

    private void work() {
      DefaultJedisClientConfig client =
          DefaultJedisClientConfig.builder()
              .user(user)
              .password(key)
              .autoNegotiateProtocol(false)
              .build();
      ThreadLocalRandom random = ThreadLocalRandom.current();
      try (Jedis jedis = new Jedis(new HostAndPort("127.0.0.1", port), client)) {
        while (running) {
          LockSupport.parkNanos(step(jedis, random));
        }
      } catch (JedisException e) {
        if (running) {
          throw e;
        }
      }
    }

    private long step(Jedis jedis, ThreadLocalRandom random) {
      try {
        long pause = step.run(jedis, random);
        counts.done.increment();
        return pause;
      } catch (JedisDataException e) { // over its limit, as it is meant to be now and then
        counts.refused.increment();
        return CALM_PAUSE_NANOS;
      }
    }
  }
}
