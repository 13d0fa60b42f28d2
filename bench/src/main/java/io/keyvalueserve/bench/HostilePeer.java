package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * One hostile peer: opens connections to the doors, one after the other, and sends each some
 * inputs. Each connection has a seed of its own, by which it can be repeated. Has a thread of its
 * own.
 */
final class HostilePeer implements Runnable {
  private static final int MOST_ON_ONE = 20;
  private static final int MOST_DRAWS = 5_000;
  private static final int MOST_BYTES_AT_ONCE = 1 << 18;
  private static final int REMEMBERED = 24;
  private static final int SHOWN_BYTES = 512;
  private static final int HELD = 16;

  /** The most connections that a peer has open at once. */
  static final int MOST_OPEN = HELD + 2;

  private static final long FIRST_MILLIS = 250;
  private static final long QUIET_MILLIS = 15;
  private static final long PATIENCE_NANOS = 2_000_000_000L;
  private static final List<HostileDelivery> DELIVERIES =
      List.of(
          HostileDelivery.WHOLE,
          HostileDelivery.WHOLE,
          HostileDelivery.WHOLE,
          HostileDelivery.WHOLE,
          HostileDelivery.TORN,
          HostileDelivery.PIPELINED,
          HostileDelivery.TRUNCATED,
          HostileDelivery.HELD,
          HostileDelivery.DRIPPED,
          HostileDelivery.UNREAD);

  private final LongSupplier seeds;
  private final InetAddress from;
  private final HostileForce force;
  private final List<Map<HostileDoor, Integer>> ports;
  private final List<HostileGrammar> grammars;
  private final Predicate<String> wanted;
  private final HostileSecrets secrets;
  private final HostileTally tally;
  private final long end;
  private final Deque<HostileConnection> held = new ArrayDeque<>();
  private final Deque<String> last = new ArrayDeque<>();
  private HostileDice dice;
  private long seed;
  private volatile boolean stopped;

  /**
   * Makes a peer.
   *
   * @param seeds of its connections
   * @param from its address
   * @param ports of each member
   * @param wanted which kinds of input are sent, by {@code door/message/change}
   * @param end when to stop, in the time of {@link System#nanoTime}
   */
  HostilePeer(
      LongSupplier seeds,
      InetAddress from,
      HostileForce force,
      List<Map<HostileDoor, Integer>> ports,
      List<HostileGrammar> grammars,
      Predicate<String> wanted,
      HostileSecrets secrets,
      HostileTally tally,
      long end) {
    this.seeds = seeds;
    this.from = from;
    this.force = force;
    this.dice = new HostileDice(0, force);
    this.ports = List.copyOf(ports);
    this.grammars = List.copyOf(grammars);
    this.wanted = wanted;
    this.secrets = secrets;
    this.tally = tally;
    this.end = end;
  }

  /** Has it end soon. */
  void stop() {
    stopped = true;
  }

  /** Returns the inputs that it sent last, the newest last. */
  List<String> last() {
    synchronized (last) {
      return List.copyOf(last);
    }
  }

  @Override
  public void run() {
    try (Selector selector = Selector.open()) {
      try {
        while (!isOver()) {
          visit(selector);
        }
      } finally {
        held.forEach(HostileConnection::close);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no selector for a hostile peer", e);
    }
  }

  private boolean isOver() {
    return stopped || System.nanoTime() >= end;
  }

  private void visit(Selector selector) {
    seed = seeds.getAsLong();
    dice = new HostileDice(seed, force);
    HostileGrammar grammar = dice.pick(grammars);
    HostileDoor door = grammar.door();
    boolean known = door != HostileDoor.MEMBER && dice.chance(0.7);
    List<HostileInput> inputs = draw(grammar, known);
    if (inputs.isEmpty()) {
      return;
    }
    HostileConnection connection;
    try {
      int port = dice.pick(ports).getOrDefault(door, 0);
      connection = new HostileConnection(from, port, selector, secrets);
    } catch (IOException e) {
      tally.refusedConnection();
      Clock.sleepMillis(20);
      return;
    }
    boolean keeps = false;
    try {
      if (known && grammar.login().length > 0) {
        int _ = connection.send(grammar.login(), true, soon());
        connection.listen(1_000, 1, soon());
        byte[] _ = connection.takeShown();
      }
      for (HostileInput input : inputs) {
        if (connection.hasEnded() || isOver()) {
          break;
        }
        HostileDelivery delivery = dice.pick(DELIVERIES);
        send(connection, new HostileTally.Group(door, known, input.kind()), input, delivery);
        if (delivery == HostileDelivery.TRUNCATED) {
          break;
        }
        if (delivery == HostileDelivery.HELD || delivery == HostileDelivery.UNREAD) {
          keeps = true;
          break;
        }
      }
    } finally {
      if (keeps && !connection.hasEnded()) {
        hold(connection);
      } else {
        connection.close();
      }
    }
  }

  /** Draws inputs for a connection; none if it seldom draws what is wanted. */
  private List<HostileInput> draw(HostileGrammar grammar, boolean known) {
    List<HostileInput> inputs = new ArrayList<>();
    int most = 1 + dice.below(MOST_ON_ONE);
    for (int draws = 0; draws < MOST_DRAWS && inputs.size() < most; draws++) {
      HostileInput input = grammar.draw(dice, known);
      if (wanted.test(grammar.door() + "/" + input.kind())) {
        inputs.add(input);
      } else if (draws > MOST_DRAWS / 10 && inputs.isEmpty()) {
        return inputs;
      }
    }
    return inputs;
  }

  private void send(
      HostileConnection connection,
      HostileTally.Group group,
      HostileInput input,
      HostileDelivery delivery) {
    remember(group, input, delivery);
    long before = connection.received();
    long sent =
        switch (delivery) {
          case WHOLE -> connection.send(input.bytes(), true, soon());
          case TORN -> torn(connection, input.bytes());
          case DRIPPED -> dripped(connection, input.bytes());
          case PIPELINED ->
              connection.send(repeated(input.bytes(), MOST_BYTES_AT_ONCE, 50), true, soon());
          case TRUNCATED, HELD -> connection.send(beginning(input.bytes()), true, soon());
          case UNREAD ->
              connection.send(
                  repeated(input.bytes(), dice.force().floodBytes(), 20_000), false, soon());
        };
    switch (delivery) {
      case WHOLE, TORN, DRIPPED, PIPELINED -> connection.listen(FIRST_MILLIS, QUIET_MILLIS, soon());
      case TRUNCATED, HELD, UNREAD -> {}
    }
    byte[] answer = connection.takeShown();
    boolean came = connection.received() > before && answer.length > 0;
    HostileTally.Outcome outcome;
    if (came) {
      outcome =
          HostileAnswers.isError(group.door(), answer)
              ? HostileTally.Outcome.ERROR
              : HostileTally.Outcome.ANSWERED;
    } else {
      outcome = connection.hasEnded() ? HostileTally.Outcome.CLOSED : HostileTally.Outcome.SILENT;
    }
    tally.add(group, outcome, connection.hasEnded(), sent);
    for (String secret : connection.leaks()) {
      tally.leak(secret, group + ", connection seed " + seed);
    }
  }

  private long torn(HostileConnection connection, byte[] bytes) {
    long sent = 0;
    for (int at = 0; at < bytes.length && !connection.hasEnded(); ) {
      int count = Math.min(bytes.length - at, 1 + dice.below(Math.max(64, bytes.length / 8)));
      sent += connection.send(part(bytes, at, count), true, soon());
      at += count;
    }
    return sent;
  }

  private long dripped(HostileConnection connection, byte[] bytes) {
    int slow = Math.min(bytes.length, 60);
    long sent = 0;
    for (int at = 0; at < slow && !connection.hasEnded() && !isOver(); at++) {
      sent += connection.send(part(bytes, at, 1), true, soon());
      Clock.sleepMillis(3);
    }
    return sent + connection.send(part(bytes, slow, bytes.length - slow), true, soon());
  }

  private byte[] beginning(byte[] bytes) {
    return part(bytes, 0, bytes.length == 0 ? 0 : dice.below(bytes.length));
  }

  private static byte[] part(byte[] bytes, int from, int count) {
    byte[] part = new byte[count];
    System.arraycopy(bytes, from, part, 0, count);
    return part;
  }

  private static byte[] repeated(byte[] bytes, int most, int times) {
    int count = Math.clamp(most / Math.max(1, bytes.length), 1, times);
    ByteBuffer all = ByteBuffer.allocate(count * bytes.length);
    for (int i = 0; i < count; i++) {
      all.put(bytes);
    }
    return all.array();
  }

  private void hold(HostileConnection connection) {
    held.add(connection);
    if (held.size() > HELD) {
      held.removeFirst().close();
    }
  }

  private void remember(HostileTally.Group group, HostileInput input, HostileDelivery delivery) {
    int shown = Math.min(SHOWN_BYTES, input.bytes().length);
    String line =
        System.currentTimeMillis()
            + " seed="
            + seed
            + " "
            + group
            + " "
            + delivery
            + " bytes="
            + input.bytes().length
            + " "
            + HexFormat.of().formatHex(input.bytes(), 0, shown);
    synchronized (last) {
      last.add(line);
      if (last.size() > REMEMBERED) {
        last.removeFirst();
      }
    }
  }

  private static long soon() {
    return System.nanoTime() + PATIENCE_NANOS;
  }
}
