package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Few connections that together ask at a fixed rate, whatever the server does. Each is a thread
 * that sleeps but for its requests, so that it takes little of the core that it shares with an
 * aggressor's load, and has one request on its way at a time, as blocking clients do. Where it is
 * allowed it runs before all others: a thread that is answered is not to wait for the load. A
 * latency counts from the time that the timetable says: what waited for an earlier reply is not
 * spared (open loop, without coordinated omission). A connection that the server closes is opened
 * anew.
 */
final class IsolationVictim implements AutoCloseable {
  /** Whether its threads may run before all others of their core. */
  static final boolean COMES_FIRST = Precedence.isAllowed();

  /** What was due in time is waited for this long. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** A thread that sleeps is back this much late: the rest of the time is spun. */
  private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(70);

  private static final long CLOSING_SECONDS = 10;
  private static final int SMALLEST_BUFFER = 4096;

  private final Contender server;
  private final IsolationTarget target;
  private final long perSecond;
  private final Mix mix;
  private final LongSupplier coreNanos;
  private final List<Connection> connections = new ArrayList<>();

  /** The server's processor time, as far as it lived. */
  private long serverNanos;

  /**
   * Connects.
   *
   * @param server whose wire was greeted with before
   * @param target the same place
   * @param coreNanos the processor time that the server has had on its core, while it lives
   */
  IsolationVictim(
      Contender server,
      IsolationTarget target,
      int connections,
      long perSecond,
      Mix mix,
      LongSupplier coreNanos) {
    this.server = server;
    this.target = target;
    this.perSecond = perSecond;
    this.mix = mix;
    this.coreNanos = coreNanos;
    try {
      for (int i = 0; i < connections; i++) {
        this.connections.add(new Connection(i));
      }
    } catch (IOException e) {
      close();
      throw new BenchException("the victim cannot connect: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Asks until a time is over, and waits for the answers.
   *
   * @param begin when the first request is due, in the time of {@link System#nanoTime}
   * @param from when what is due begins to count
   * @param to when no more is due
   * @param otherNanos the processor time of other loads
   */
  IsolationSeen run(long begin, long from, long to, long seed, LongSupplier otherNanos) {
    IsolationTimetable timetable = new IsolationTimetable(begin, perSecond);
    SplittableRandom random = new SplittableRandom(seed);
    List<Thread> threads = new ArrayList<>();
    for (Connection connection : connections) {
      connection.reset(random.split(), slowest(timetable.between(from, to)));
      threads.add(
          Thread.ofPlatform()
              .name("victim-" + connection.number)
              .start(() -> connection.spend(timetable, from, to)));
    }
    Clock.sleepUntil(from);
    long early = System.nanoTime();
    Costs before = costs(otherNanos);
    Clock.sleepUntil(to);
    long late = System.nanoTime();
    // Nobody wakes up at the very moment: the costs are of a time a little shorter or longer.
    Costs costs = costs(otherNanos).since(before).times((double) (to - from) / (late - early));
    join(threads, to + PATIENCE_NANOS);
    return seen(timetable, from, to, costs);
  }

  private Costs costs(LongSupplier otherNanos) {
    long own = Children.cpuNanos(ProcessHandle.current());
    if (server.process().isAlive()) {
      serverNanos = coreNanos.getAsLong();
    }
    return new Costs(serverNanos, 0, own + otherNanos.getAsLong(), CoreTimes.now());
  }

  /** Waits until all have ended, by themselves or because their connections are closed. */
  private void join(List<Thread> threads, long deadline) {
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
      }
      connections.forEach(connection -> connection.over = true);
      for (int i = 0; i < threads.size(); i++) {
        if (threads.get(i).isAlive()) {
          connections.get(i).disconnect();
        }
      }
      for (Thread thread : threads) {
        if (!thread.join(java.time.Duration.ofSeconds(CLOSING_SECONDS))) {
          throw new BenchException("a connection of the victim does not end");
        }
      }
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
  }

  private static Slowest slowest(long asked) {
    return new Slowest(Math.toIntExact(Math.ceilDiv(asked, 100)));
  }

  private IsolationSeen seen(IsolationTimetable timetable, long from, long to, Costs costs) {
    Histogram latencies = new Histogram(MOST_NANOS, 3);
    Histogram lateness = new Histogram(MOST_NANOS, 3);
    SortedMap<String, Long> errors = new TreeMap<>();
    long asked = timetable.between(from, to);
    Slowest slowest = slowest(asked);
    long inTime = 0;
    long answered = 0;
    for (Connection connection : connections) {
      latencies.add(connection.latencies);
      lateness.add(connection.lateness);
      slowest.addAll(connection.slowest);
      connection.errors.forEach((text, count) -> errors.merge(text, count, Long::sum));
      inTime += connection.inTime;
      answered += connection.answered;
    }
    Window window =
        new Window(
            List.of(inTime),
            to - from,
            costs,
            Cores.ofLoad(),
            latencies,
            new Offer(perSecond, lateness));
    return new IsolationSeen(window, asked, answered, errors, slowest.list());
  }

  @Override
  public void close() {
    connections.forEach(Connection::disconnect);
  }

  /** One connection and what its thread has seen; read by others when that has ended. */
  private final class Connection {
    private final int number;
    private final TolerantWire wire;
    private final byte[] request;
    private final byte[] reply;
    private volatile @Nullable SocketChannel channel;
    private volatile boolean over;
    private SplittableRandom random = new SplittableRandom();
    private Histogram latencies = new Histogram(1);
    private Histogram lateness = new Histogram(1);
    private Slowest slowest = new Slowest(0);
    private SortedMap<String, Long> errors = new TreeMap<>();
    private String failure = "";
    private long inTime;
    private long answered;
    private long sequence;

    Connection(int number) throws IOException {
      this.number = number;
      wire = target.tolerant(server.wire(), text -> failure = text);
      request = new byte[wire.longestRequest()];
      reply = new byte[Math.max(SMALLEST_BUFFER, 2 * wire.longestReply())];
      connect();
    }

    private SocketChannel connect() throws IOException {
      SocketChannel opened = SocketChannel.open();
      try {
        channel = opened; // from now on it can be closed by who waits for this thread
        Sockets.connect(opened, server.port(), wire);
        return opened;
      } catch (IOException | RuntimeException e) {
        disconnect();
        throw e;
      }
    }

    void disconnect() {
      SocketChannel open = channel;
      channel = null;
      if (open != null) {
        Sockets.close(open);
      }
    }

    void reset(SplittableRandom draws, Slowest empty) {
      random = draws;
      over = false;
      latencies = new Histogram(MOST_NANOS, 3);
      lateness = new Histogram(MOST_NANOS, 3);
      slowest = empty;
      errors = new TreeMap<>();
      inTime = 0;
      answered = 0;
    }

    void spend(IsolationTimetable timetable, long from, long to) {
      if (COMES_FIRST) {
        Precedence.take();
      }
      long free = Long.MIN_VALUE; // when the reply before had come
      for (long turn = number; ; turn += connections.size()) {
        long due = timetable.due(turn);
        if (due >= to) {
          return;
        }
        waitUntil(due);
        boolean counts = due >= from;
        long sent = System.nanoTime();
        if (counts && free <= due) {
          lateness.recordValue(Math.min(sent - due, MOST_NANOS));
        }
        String error = over ? "not asked: the time was over" : ask();
        long now = System.nanoTime();
        free = now;
        if (error.isEmpty() && now >= from && now < to) {
          inTime++;
        }
        if (counts) {
          if (error.isEmpty() || over) { // an error that comes at once is no short latency
            latencies.recordValue(Math.min(now - due, MOST_NANOS));
            slowest.add(due, sent, now);
          }
          note(error);
        }
      }
    }

    private void note(String error) {
      if (error.isEmpty()) {
        answered++;
      } else {
        errors.merge(error, 1L, Long::sum);
      }
    }

    /** Asks once; returns what was wrong, or nothing. */
    private String ask() {
      failure = "";
      try {
        SocketChannel open = channel;
        if (open == null) {
          open = connect();
        }
        int key = random.nextInt(target.entries());
        int length = wire.put(request, 0, key, mix.reads(random), sequence++);
        for (ByteBuffer out = ByteBuffer.wrap(request, 0, length); out.hasRemaining(); ) {
          open.write(out);
        }
        return await(open) ? IsolationTally.kind(failure) : lost("connection closed");
      } catch (IOException e) {
        return lost(over ? "no answer" : "connection lost");
      } catch (BenchException e) {
        return lost(IsolationTally.kind(String.valueOf(e.getMessage())));
      }
    }

    private String lost(String why) {
      disconnect();
      return why;
    }

    /** Waits for the reply; returns false if the server has ended the connection. */
    private boolean await(SocketChannel open) throws IOException {
      ByteBuffer in = ByteBuffer.wrap(reply);
      while (true) {
        if (open.read(in) < 0) {
          return false;
        }
        int length = wire.reply(reply, 0, in.position());
        if (length > 0 && length < in.position()) {
          throw new BenchException("the server sent more than it was asked for");
        }
        if (length > 0) {
          return true;
        }
        if (!in.hasRemaining()) {
          throw new BenchException("the server's answer is longer than any should be");
        }
      }
    }
  }

  private static void waitUntil(long due) {
    for (long rest; (rest = due - System.nanoTime()) > 0; ) {
      if (rest > SPIN_NANOS) {
        LockSupport.parkNanos(rest - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
    }
  }
}
