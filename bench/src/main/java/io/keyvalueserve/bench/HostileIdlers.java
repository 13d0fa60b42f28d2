package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Connections without a key that do nothing, or have said the first bytes of a request. What the
 * server closes is opened anew. Has a thread of its own.
 */
final class HostileIdlers implements Runnable {
  private static final int AT_ONCE = 50;
  private static final long PAUSE_MILLIS = 100;

  private final HostileDice dice;
  private final InetAddress from;
  private final List<Map<HostileDoor, Integer>> ports;
  private final List<HostileGrammar> grammars;
  private final HostileSecrets secrets;
  private final HostileTally tally;
  private final int count;
  private final List<HostileConnection> open = new ArrayList<>();
  private volatile boolean stopped;
  private final AtomicLong closedByServer = new AtomicLong();

  /**
   * Makes a task.
   *
   * @param from its address
   * @param ports of each member
   * @param count how many connections
   */
  HostileIdlers(
      HostileDice dice,
      InetAddress from,
      List<Map<HostileDoor, Integer>> ports,
      List<HostileGrammar> grammars,
      HostileSecrets secrets,
      HostileTally tally,
      int count) {
    this.dice = dice;
    this.from = from;
    this.ports = List.copyOf(ports);
    this.grammars = List.copyOf(grammars);
    this.secrets = secrets;
    this.tally = tally;
    this.count = count;
  }

  /** Has it close everything and end soon. */
  void stop() {
    stopped = true;
  }

  /** Returns how many idle connections the server has closed. */
  long closedByServer() {
    return closedByServer.get();
  }

  @Override
  public void run() {
    try (Selector selector = Selector.open()) {
      while (!stopped) {
        removeClosed();
        for (int i = 0; i < AT_ONCE && open.size() < count && !stopped; i++) {
          connect(selector);
        }
        Clock.sleepMillis(PAUSE_MILLIS);
      }
      open.forEach(HostileConnection::close);
    } catch (IOException e) {
      throw new UncheckedIOException("no selector for idle connections", e);
    }
  }

  private void removeClosed() {
    for (Iterator<HostileConnection> all = open.iterator(); all.hasNext() && !stopped; ) {
      HostileConnection connection = all.next();
      connection.drain();
      connection.leaks().forEach(secret -> tally.leak(secret, "an idle connection"));
      if (connection.hasEnded()) {
        connection.close();
        all.remove();
        closedByServer.incrementAndGet();
      }
    }
  }

  private void connect(Selector selector) {
    HostileGrammar grammar = dice.pick(grammars);
    try {
      int port = dice.pick(ports).getOrDefault(grammar.door(), 0);
      HostileConnection connection = new HostileConnection(from, port, selector, secrets);
      open.add(connection);
      byte[] first = grammar.draw(dice, false).bytes();
      if (dice.chance(0.5) && first.length > 1) {
        byte[] some = new byte[1 + dice.below(Math.min(40, first.length - 1))];
        System.arraycopy(first, 0, some, 0, some.length);
        int _ = connection.send(some, false, System.nanoTime() + 100_000_000L);
      }
    } catch (IOException e) {
      tally.refusedConnection();
    }
  }
}
