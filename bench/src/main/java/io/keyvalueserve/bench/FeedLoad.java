package io.keyvalueserve.bench;

import java.lang.management.ManagementFactory;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * One connection that feeds many others, all driven by the calling thread. It sends its next batch
 * when all of the last one has arrived, so that nobody falls behind. An operation is what one of
 * the others has got.
 */
final class FeedLoad implements AutoCloseable {
  /** The bytes of an element that is handed over. */
  private static final int ELEMENT_BYTES = 16;

  private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Contender server;
  private final boolean asks;
  private final int batch;
  private final Selector selector = Sockets.selector();
  private final List<RawConnection> takers = new ArrayList<>();
  private final RawConnection feeder;
  private final Histogram latencies = new Histogram(MOST_NANOS, 3);
  private long taken;
  private long due;
  private long since;

  /**
   * Connects, and has all wait.
   *
   * @param run a number that no other run at this server has
   */
  FeedLoad(Contender server, TypeLoad load, Shape shape, int messageBytes, int run) {
    this.server = server;
    asks = load == TypeLoad.BLOCKING;
    batch = shape.pipeline();
    int bytes = asks ? ELEMENT_BYTES : messageBytes;
    TalkWire.Longest longest = new TalkWire.Longest(bytes + 128, bytes + 128);
    String name = (asks ? "work:" : "news:") + run;
    List<List<String>> hello = asks ? List.of() : List.of(List.of("SUBSCRIBE", name));
    Wire takes = new TalkWire(server.wire(), hello, longest, _ -> taker(name, bytes));
    Wire feeds =
        new TalkWire(
            server.wire(), List.of(), longest, _ -> feeder(name, shape.connections(), bytes));
    try {
      for (int i = 0; i < shape.connections(); i++) {
        takers.add(new RawConnection(takes.at(i), server.port(), batch, selector));
        if (asks) {
          ask(takers.getLast());
        }
      }
      feeder = new RawConnection(feeds, server.port(), batch, selector);
      takers.add(feeder); // closed with them
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private Talk taker(String name, int bytes) {
    String message = "*3\r\n$7\r\nmessage\r\n$" + name.length() + "\r\n" + name;
    List<String> answers =
        List.of((asks ? "*2\r\n$" + name.length() + "\r\n" + name : message) + "\r\n$" + bytes);
    return talk(answers, to -> to.command(3).word("BLPOP").word(name).word("0"));
  }

  private Talk feeder(String name, int subscribers, int bytes) {
    String text = Load.text(bytes);
    return talk(
        List.of(asks ? ":" : ":" + subscribers + "\r\n"),
        to -> to.command(3).word(asks ? "RPUSH" : "PUBLISH").word(name).word(text));
  }

  private static Talk talk(List<String> answers, Consumer<RespWords> asking) {
    return new Talk() {
      @Override
      public void ask(RespWords to, int number, long sequence) {
        asking.accept(to);
      }

      @Override
      public List<String> answers(long sequence) {
        return answers;
      }
    };
  }

  /**
   * Loads the server.
   *
   * @param leadNanos how long before what is seen counts
   * @param nanos how long it counts
   */
  Window run(long leadNanos, long nanos) {
    feed();
    spend(System.nanoTime() + leadNanos);
    long from = System.nanoTime();
    Costs costs = costs();
    long before = taken;
    latencies.reset();
    spend(from + nanos);
    long to = System.nanoTime();
    List<Long> operations = List.of(taken - before);
    return new Window(operations, to - from, costs().since(costs), 1, latencies.copy());
  }

  private void spend(long end) {
    for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
      Sockets.select(selector, this::progress, 100);
      if (now - since > SILENCE_NANOS) {
        throw new BenchException((due - taken) + " of what was sent have not arrived for 20 s");
      }
    }
  }

  private void progress(SelectionKey key) {
    RawConnection connection = (RawConnection) key.attachment();
    int replies = connection.progress();
    if (connection != feeder) {
      taken += replies;
      if (asks && replies > 0) {
        ask(connection);
      }
    }
    if (taken == due && feeder.isIdle()) {
      latencies.recordValue(Math.min(System.nanoTime() - since, MOST_NANOS));
      feed();
    }
  }

  private void feed() {
    since = System.nanoTime();
    int fed = takers.size() - 1;
    due += asks ? batch : (long) batch * fed;
    for (int i = 0; i < fed && !asks; i++) {
      takers.get(i).expect(batch);
    }
    for (int i = 0; i < batch; i++) {
      feeder.add(0, false);
    }
    feeder.send();
  }

  private static void ask(RawConnection taker) {
    taker.add(0, false);
    taker.send();
  }

  private Costs costs() {
    return Costs.now(
        server.process(),
        server.companions(),
        ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
  }

  @Override
  public void close() {
    takers.forEach(RawConnection::close);
    Sockets.close(selector);
  }
}
