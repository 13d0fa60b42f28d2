package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The tenant beside hostile peers: writes values that exist once in the world, reads them back and
 * checks them, one request at a time. Has a thread of its own; {@link #watch} is for another one.
 */
final class HostileVictim implements Runnable {
  private static final int KEYS = 100;
  private static final long PATIENCE_NANOS = 10_000_000_000L;
  private static final long PAUSE_MILLIS = 5;
  private static final long RETRY_MILLIS = 200;

  private final int port;
  private final String key;
  private final String mark;
  private final Consumer<String> told;
  private final Map<String, String> written = new HashMap<>();
  private final Histogram micros = new Histogram(60_000_000L, 3);
  private final SortedMap<String, Long> errors = new TreeMap<>();
  private volatile long requestSince;
  private volatile boolean stopped;
  private volatile @Nullable RespConnection connection;
  private long answered;
  private long wrong;

  /**
   * Makes a victim.
   *
   * @param key of its tenant, {@link OwnServer#TENANT}
   * @param mark that all its keys and values have
   * @param told is told each error
   */
  HostileVictim(int port, String key, String mark, Consumer<String> told) {
    this.port = port;
    this.key = key;
    this.mark = mark;
    this.told = told;
  }

  /** Has it end after its request. */
  void stop() {
    stopped = true;
  }

  /** Ends a request that has taken longer than it may. */
  void watch() {
    long since = requestSince;
    RespConnection current = connection;
    if (since != 0 && System.nanoTime() - since > PATIENCE_NANOS && current != null) {
      current.close();
    }
  }

  @Override
  public void run() {
    for (int i = 0; !stopped; i++) {
      try {
        visit(i);
        Clock.sleepMillis(PAUSE_MILLIS);
      } catch (IOException e) {
        fail(requestTookTooLong() ? "no answer within 10 s" : "connection: " + e.getMessage());
        disconnect();
        Clock.sleepMillis(RETRY_MILLIS);
      } finally {
        requestSince = 0;
      }
    }
    disconnect();
  }

  private boolean requestTookTooLong() {
    return requestSince != 0 && System.nanoTime() - requestSince > PATIENCE_NANOS;
  }

  private void visit(int i) throws IOException {
    String name = mark + "-key-" + i % KEYS;
    String value = mark + "-" + UUID.randomUUID();
    written.remove(name); // either value is right until this is answered
    RespReply reply = call("SET", name, value);
    if (reply instanceof RespReply.Line) {
      written.put(name, value);
    } else {
      fail(reply instanceof RespReply.Failure failure ? failure.kind() : "SET: " + reply);
    }
    check(mark + "-key-" + (i * 7 + 1) % KEYS);
  }

  private void check(String name) throws IOException {
    String expected = written.get(name);
    RespReply reply = call("GET", name);
    if (reply instanceof RespReply.Failure failure) {
      fail(failure.kind());
    } else if (expected != null
        && !(reply instanceof RespReply.Bytes bytes
            && new String(bytes.value(), ISO_8859_1).equals(expected))) {
      wrong++;
      told.accept("a wrong value: " + name);
    }
  }

  private RespReply call(String... words) throws IOException {
    requestSince = System.nanoTime();
    RespConnection current = connection;
    if (current == null) {
      current = RespConnection.open(port, List.of("AUTH", OwnServer.TENANT, key));
      connection = current;
    }
    long sent = System.nanoTime();
    RespReply reply = current.call(words);
    micros.recordValue(Math.min((System.nanoTime() - sent) / 1000, 60_000_000L));
    answered++;
    return reply;
  }

  private void fail(String what) {
    errors.merge(what, 1L, Long::sum);
    told.accept(what);
  }

  private void disconnect() {
    RespConnection current = connection;
    if (current != null) {
      current.close();
      connection = null;
    }
  }

  /** Returns what it saw; for when it has ended. */
  Seen seen() {
    return new Seen(
        answered,
        wrong,
        new TreeMap<>(errors),
        micros.getValueAtPercentile(50),
        micros.getValueAtPercentile(99),
        micros.getMaxValue());
  }

  /**
   * What the victim saw.
   *
   * @param answered requests
   * @param wrong reads of another value than was written
   * @param errors by kind
   * @param p50Micros latency
   * @param p99Micros latency
   * @param longestMicros latency
   */
  record Seen(
      long answered,
      long wrong,
      SortedMap<String, Long> errors,
      long p50Micros,
      long p99Micros,
      long longestMicros) {}
}
