package io.keyvalueserve.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Very many connections to a server, driven by the calling thread: opened all at once, then each
 * active by a timetable, whatever the server does. A latency counts from the time that the table
 * says, so that a late server is not spared the requests that waited for it.
 */
final class StormLoad implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long SPIN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final int ATTEMPTS_BEFORE_A_LOOK = 16;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Contender server;
  private final StormShape shape;
  private final int entries;
  private final SplittableRandom random;
  private final StormBuffers buffers;
  private final Selector selector;
  private final List<StormConnection> connections = new ArrayList<>();
  private final Histogram latencies = new Histogram(MOST_NANOS, 3);
  private final Histogram lateness = new Histogram(MOST_NANOS, 3);
  private SortedMap<String, Integer> losses = new TreeMap<>();
  private long answered;
  private boolean active;

  /**
   * Prepares it; nothing is opened yet.
   *
   * @param entries how many keys there are, all written
   */
  StormLoad(Contender server, StormShape shape, int entries, long seed) {
    this.server = server;
    this.shape = shape;
    this.entries = entries;
    random = new SplittableRandom(seed);
    buffers = new StormBuffers(server.wire());
    selector = Sockets.selector();
  }

  /** Opens all at once; returns when each was answered its first request, or was refused. */
  Opening open() {
    long overflows = ListenQueues.overflows();
    long cpu = server.process().cpuNanos();
    long begin = System.nanoTime();
    for (int i = 0; i < shape.connections(); i++) {
      connect(i);
      if (i % ATTEMPTS_BEFORE_A_LOOK == 0) {
        select(0);
      }
    }
    while (answered + Opening.sum(losses) < shape.connections()
        && System.nanoTime() - begin < PATIENCE_NANOS) {
      select(100);
    }
    long nanos = System.nanoTime() - begin;
    for (StormConnection connection : connections) {
      if (isOpening(connection)) {
        lose(connection, "no answer within 60 s");
      }
    }
    connections.removeIf(connection -> connection.state() == StormConnection.State.CLOSED);
    Opening opening =
        new Opening(
            shape.connections(),
            losses,
            nanos,
            server.process().cpuNanos() - cpu,
            ListenQueues.overflows() - overflows,
            latencies.copy());
    losses = new TreeMap<>();
    return opening;
  }

  /**
   * Keeps those that are open active.
   *
   * @param leadNanos how long before what is seen counts
   * @param nanos how long it counts
   */
  Activity act(long leadNanos, long nanos) {
    active = true;
    Timetable timetable = new Timetable(System.nanoTime() + SPIN_NANOS);
    spend(timetable, System.nanoTime() + leadNanos);
    long from = System.nanoTime();
    Costs costs = costs();
    long before = answered;
    latencies.reset();
    lateness.reset();
    spend(timetable, from + nanos);
    long to = System.nanoTime();
    Costs spent = costs().since(costs);
    long operations = answered - before;
    active = false;
    awaitAnswers(); // their latencies count: the late ones must not be missing
    Window window =
        new Window(List.of(operations), to - from, spent, Cores.ofLoad(), latencies.copy());
    return new Activity(window, losses, lateness.copy());
  }

  private void spend(Timetable timetable, long end) {
    for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
      select(timetable.keep(now));
    }
  }

  /** Waits for what is on its way, as long as the server has patience coming. */
  private void awaitAnswers() {
    long begin = System.nanoTime();
    while (connections.stream().anyMatch(c -> c.state() == StormConnection.State.WAITING)) {
      select(100);
      if (System.nanoTime() - begin > PATIENCE_NANOS) {
        throw new BenchException("the server has not answered for 60 s");
      }
    }
  }

  /** When which connection is due: one after the other, each again after a period. */
  private final class Timetable {
    private final long begin;
    private long turns;

    Timetable(long begin) {
      this.begin = begin;
      for (int i = 0; i < connections.size(); i++) {
        connections.get(i).due = begin + i * shape.gapNanos();
      }
    }

    /** Sends what is due, and returns how many milliseconds may be slept. */
    long keep(long now) {
      for (; begin + turns * shape.gapNanos() <= now; turns++) {
        int number = (int) (turns % shape.connections());
        if (number < connections.size()) { // the refused ones' turns are skipped
          StormConnection connection = connections.get(number);
          if (connection.state() == StormConnection.State.IDLE && connection.due <= now) {
            lateness.recordValue(Math.min(System.nanoTime() - connection.due, MOST_NANOS));
            request(connection);
          }
        }
      }
      long rest = begin + turns * shape.gapNanos() - now;
      return rest < SPIN_NANOS ? 0 : TimeUnit.NANOSECONDS.toMillis(rest) - 1;
    }
  }

  private void connect(int number) {
    try {
      connections.add(
          new StormConnection(
              server.wire(), server.port(), StormConnection.source(number), buffers, selector));
    } catch (IOException e) {
      count(reason(e));
    }
  }

  private void request(StormConnection connection) {
    connection.since = connection.due;
    connection.due += shape.periodNanos();
    try {
      connection.request(random.nextInt(entries), shape.mix().reads(random));
    } catch (IOException e) {
      lose(connection, reason(e));
    }
  }

  private void select(long millis) {
    Sockets.select(selector, this::progress, millis);
  }

  private void progress(SelectionKey key) {
    StormConnection connection = (StormConnection) key.attachment();
    try {
      if (!connection.progress()) {
        return;
      }
    } catch (IOException | BenchException e) {
      lose(connection, reason(e));
      return;
    }
    answered++;
    long now = System.nanoTime();
    latencies.recordValue(Math.min(now - connection.since, MOST_NANOS));
    if (active && connection.due <= now) {
      request(connection);
    }
  }

  private static boolean isOpening(StormConnection connection) {
    return switch (connection.state()) {
      case CONNECTING, GREETING, ASKING -> true;
      case IDLE, WAITING, CLOSED -> false;
    };
  }

  private void lose(StormConnection connection, String reason) {
    connection.close();
    count(reason);
  }

  private void count(String reason) {
    losses.merge(reason, 1, Integer::sum);
  }

  private static String reason(Exception e) {
    return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
  }

  private Costs costs() {
    return Costs.now(server.process(), server.companions(), THREADS.getCurrentThreadCpuTime());
  }

  /** Closes all connections at once. */
  @Override
  public void close() {
    connections.forEach(StormConnection::close);
    Sockets.close(selector);
  }
}
