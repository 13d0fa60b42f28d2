package io.keyvalueserve.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Many connections that are driven by the calling thread, which does little for each request, so
 * that the server is what limits.
 *
 * <p>Without a rate each connection sends its next batch when the last one is answered. With a rate
 * each has a timetable, whatever the server does; a latency then counts from the time that the
 * table says, so that a late server is not spared the requests that waited for it. What such a
 * server has not answered when the time is up counts, too.
 */
final class RawLoad implements AutoCloseable {
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long SPIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final Mix FILL = new Mix("fill", 0, false);

  private final Contender server;
  private final Shape shape;
  private final Keys keys;
  private final SplittableRandom random;
  private final Selector selector;
  private final List<RawConnection> connections = new ArrayList<>();
  private final Histogram latencies = new Histogram(MOST_NANOS, 3);
  private final Histogram lateness = new Histogram(MOST_NANOS, 3);
  private final long gapNanos;
  private long answered;
  private long turns;
  private boolean ending;

  /** Connects. */
  RawLoad(Contender server, Shape shape, int entries, long seed) {
    this.server = server;
    this.shape = shape;
    keys = Keys.of(shape.mix(), entries);
    random = new SplittableRandom(seed);
    gapNanos =
        shape.operationsPerSecond() == 0
            ? 0
            : TimeUnit.SECONDS.toNanos(1) * shape.pipeline() / shape.operationsPerSecond();
    selector = Sockets.selector();
    try {
      for (int i = 0; i < shape.connections(); i++) {
        connections.add(
            new RawConnection(server.wire().at(i), server.port(), shape.pipeline(), selector));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Connects, loads a server, and closes.
   *
   * @param leadNanos how long before what is seen counts
   * @param nanos how long it counts
   * @throws BenchException that says which server and which load failed, and why
   */
  static Window once(
      Contender server, Shape shape, int entries, long seed, long leadNanos, long nanos) {
    server.process().requireAlive();
    try (RawLoad load = new RawLoad(server, shape, entries, seed)) {
      return load.run(leadNanos, nanos);
    } catch (BenchException e) {
      server.process().requireAlive();
      throw new BenchException(server.name() + ", " + shape + ": " + e.getMessage(), e);
    }
  }

  /** Writes every key once, over one connection. */
  static void fill(Contender server, int entries) {
    int batch = 64;
    try (RawLoad load = new RawLoad(server, new Shape(1, 1, batch, FILL, 0), entries, 0)) {
      RawConnection connection = load.connections.getFirst();
      load.ending = true;
      for (int next = 0; next < entries; ) {
        for (int end = Math.min(next + batch, entries); next < end; next++) {
          connection.add(next, false);
        }
        connection.send();
        load.await();
      }
    }
  }

  /**
   * Loads the server.
   *
   * @param leadNanos how long before what is seen counts
   * @param nanos how long it counts
   */
  Window run(long leadNanos, long nanos) {
    long begin = System.nanoTime();
    start(begin);
    spend(begin, begin + leadNanos);
    long from = System.nanoTime();
    Costs costs = costs();
    long before = answered;
    latencies.reset();
    lateness.reset();
    spend(begin, from + nanos);
    long to = System.nanoTime();
    long operations = answered - before;
    Costs spent = costs().since(costs);
    ending = true;
    await(); // the latencies of what is on its way count: the late ones must not be missing
    recordUnsent(to);
    Offer offer = new Offer(shape.operationsPerSecond(), lateness.copy());
    return new Window(List.of(operations), to - from, spent, 1, latencies.copy(), offer);
  }

  /** What was due but had to wait for earlier replies counts with how long it had waited. */
  private void recordUnsent(long end) {
    if (gapNanos == 0) {
      return;
    }
    long periodNanos = gapNanos * connections.size();
    for (RawConnection connection : connections) {
      for (long due = connection.due; due < end; due += periodNanos) {
        latencies.recordValue(Math.min(end - due, MOST_NANOS));
      }
    }
  }

  private Costs costs() {
    return Costs.now(server.process(), server.companions(), THREADS.getCurrentThreadCpuTime());
  }

  private void start(long begin) {
    for (int i = 0; i < connections.size(); i++) {
      RawConnection connection = connections.get(i);
      connection.due = begin + i * gapNanos;
      if (gapNanos == 0) {
        next(connection, begin);
      }
    }
  }

  private void spend(long begin, long end) {
    long heard = System.nanoTime();
    long last = answered;
    for (long now = heard; now < end; now = System.nanoTime()) {
      select(gapNanos == 0 ? 100 : keepTimetable(begin, now));
      if (answered != last || gapNanos != 0) {
        last = answered;
        heard = now;
      } else if (now - heard > SILENCE_NANOS) {
        throw silence();
      }
    }
  }

  /** Sends what is due, and returns how many milliseconds may be slept. */
  private long keepTimetable(long begin, long now) {
    for (; begin + turns * gapNanos <= now; turns++) {
      RawConnection connection = connections.get((int) (turns % connections.size()));
      if (connection.isIdle() && connection.due <= now) {
        lateness.recordValue(Math.min(System.nanoTime() - connection.due, MOST_NANOS));
        next(connection, connection.due);
      }
    }
    long rest = begin + turns * gapNanos - now;
    return rest < SPIN_NANOS ? 0 : TimeUnit.NANOSECONDS.toMillis(rest) - 1;
  }

  /** Waits until every connection has all its replies. */
  private void await() {
    long begin = System.nanoTime();
    while (!connections.stream().allMatch(RawConnection::isIdle)) {
      select(100);
      if (System.nanoTime() - begin > SILENCE_NANOS) {
        throw silence();
      }
    }
  }

  private void select(long millis) {
    Sockets.select(selector, this::progress, millis);
  }

  private void progress(SelectionKey key) {
    RawConnection connection = (RawConnection) key.attachment();
    int replies = connection.progress();
    answered += replies;
    if (replies == 0 || !connection.isIdle()) {
      return;
    }
    long now = System.nanoTime();
    latencies.recordValue(Math.min(now - connection.since, MOST_NANOS));
    if (ending) {
      return;
    }
    if (gapNanos == 0) {
      next(connection, now);
    } else if (connection.due <= now) {
      next(connection, connection.due);
    }
  }

  private void next(RawConnection connection, long since) {
    for (int i = 0; i < shape.pipeline(); i++) {
      connection.add(keys.next(random), shape.mix().reads(random));
    }
    connection.since = since;
    connection.due += gapNanos * connections.size();
    connection.send();
  }

  private static BenchException silence() {
    return new BenchException(
        "the server has not answered for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_NANOS) + " s");
  }

  @Override
  public void close() {
    connections.forEach(RawConnection::close);
    Sockets.close(selector);
  }
}
