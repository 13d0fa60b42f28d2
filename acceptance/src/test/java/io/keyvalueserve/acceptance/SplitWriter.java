package io.keyvalueserve.acceptance;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes to one member while the network breaks, and remembers what was acknowledged: keys of its
 * own that are set and deleted, and a counter that all writers share. Each command is sent once.
 */
final class SplitWriter implements AutoCloseable {
  static final String COUNTER = "counter";
  static final String DELETED = "(deleted)";

  private static final int KEYS = 200;
  private static final int DELETES = 7;
  private static final long PAUSE_MILLIS = 2;
  private static final long PAUSE_AFTER_ERROR_MILLIS = 50;

  private final String name;
  private final KvsProcess member;
  private final Tenant tenant;
  private final String map;
  private final Thread thread;
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong increments = new AtomicLong();
  private final AtomicLong doubtful = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();
  private volatile boolean ending;

  /** The last acknowledged write of each key. */
  private final Map<String, String> acknowledged = new ConcurrentHashMap<>();

  /** The writes after it, which may or may not have taken effect. */
  private final Map<String, TreeMap<String, Boolean>> mayBe = new ConcurrentHashMap<>();

  SplitWriter(String name, KvsProcess member, Tenant tenant, String map) {
    this.name = name;
    this.member = member;
    this.tenant = tenant;
    this.map = map;
    this.thread = Thread.ofPlatform().name("split-" + name).start(this::run);
  }

  private void run() {
    long number = 0;
    while (!ending) {
      try (RespSocket socket = RespSocket.open(member, tenant, map)) {
        while (!ending) {
          write(socket, number++);
          Thread.sleep(PAUSE_MILLIS);
        }
      } catch (IOException | AssertionError disconnected) {
        pause();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_AFTER_ERROR_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(RespSocket socket, long number) throws IOException {
    String key = name + ":" + number % KEYS;
    boolean deletes = number % DELETES == 0;
    String value = deletes ? DELETED : Long.toString(number);
    mayBe.computeIfAbsent(key, absent -> new TreeMap<>()).put(value, true);
    String reply = deletes ? say(socket, "DEL", key) : say(socket, "SET", key, value);
    if (!reply.startsWith("-")) {
      acknowledged.put(key, value);
      mayBe.get(key).clear();
    } else if (!reply.startsWith("-INDOUBT") && !reply.startsWith("-TIMEOUT")) {
      mayBe.get(key).remove(value);
    }
    doubtful.incrementAndGet(); // until there is an answer that says more
    reply = say(socket, "INCR", COUNTER);
    if (reply.startsWith(":")) {
      increments.incrementAndGet();
      doubtful.decrementAndGet();
    } else if (!reply.startsWith("-INDOUBT") && !reply.startsWith("-TIMEOUT")) {
      doubtful.decrementAndGet();
    }
  }

  private String say(RespSocket socket, String... words) throws IOException {
    long start = System.nanoTime();
    socket.send(RespSocket.command(words));
    String reply = socket.readLine();
    if (reply.isEmpty()) {
      throw new EOFException("no reply");
    }
    if (reply.startsWith("-")) {
      refused.incrementAndGet();
    } else {
      answered.incrementAndGet();
      slowestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
    }
    return reply;
  }

  /** How many commands were carried out. */
  long answered() {
    return answered.get();
  }

  /** How many got an error. */
  long refused() {
    return refused.get();
  }

  /** The longest that a command took that was carried out. */
  Duration slowest() {
    return Duration.ofNanos(slowestNanos.get());
  }

  /** How often the counter was surely increased. */
  long increments() {
    return increments.get();
  }

  /** How often it may have been besides. */
  long doubtfulIncrements() {
    return doubtful.get();
  }

  Map<String, String> acknowledged() {
    return acknowledged;
  }

  /** Whether a key may have a value that is not the last acknowledged one. */
  boolean mayHave(String key, String value) {
    TreeMap<String, Boolean> values = mayBe.get(key);
    return values != null && values.containsKey(value);
  }

  @Override
  public void close() {
    ending = true;
    try {
      thread.join(Duration.ofSeconds(30));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
