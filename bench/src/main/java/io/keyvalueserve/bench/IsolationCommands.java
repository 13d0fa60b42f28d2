package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Large commands of Redis' protocol: a thread and a connection each, one after the other. */
final class IsolationCommands implements IsolationAttack {
  /**
   * So much goes to or comes from the network at once. Kernels may keep a thread on its core until
   * such a copy is done, and the victim's load has the same core.
   */
  private static final int BUFFER = 1 << 16;

  private static final int VARIANTS = 4;
  private static final int NUMBER_DIGITS = 12;

  /** FLUSHDB may meet a limit that is only about to be lifted. */
  private static final int CLEANINGS = 100;

  private final IsolationOrder order;
  private final IsolationTarget target;
  private final Wire wire;
  private final IsolationThreads threads = new IsolationThreads();
  private final AtomicReferenceArray<@Nullable Peer> peers;
  private final AtomicLong nextKey = new AtomicLong();
  private byte[][] requests = {};

  /**
   * @param order what it is told to prepare
   */
  IsolationCommands(IsolationOrder order) {
    this.order = order;
    target = order.kind().writes() ? order.target().beside() : order.target();
    wire = target.wire();
    peers = new AtomicReferenceArray<>(order.force().connections());
  }

  @Override
  public void prepare() {
    SplittableRandom random = new SplittableRandom(order.seed());
    IsolationForce force = order.force();
    requests =
        switch (order.kind()) {
          case HUGE_VALUES ->
              new byte[][] {
                command("SET", "huge", Load.text(force.bytes())), command("GET", "huge")
              };
          case MGET -> {
            byte[][] variants = new byte[VARIANTS][];
            Arrays.setAll(variants, _ -> mget(random, force.depth()));
            yield variants;
          }
          case FLOOD -> new byte[][] {command("SET", floodKey(0), Load.text(force.bytes()))};
          default -> new byte[][] {command("KEYS", "*")};
        };
  }

  private byte[] mget(SplittableRandom random, int keys) {
    String[] words = new String[keys + 1];
    words[0] = "MGET";
    for (int i = 1; i <= keys; i++) {
      words[i] = Load.key(random.nextInt(target.entries()));
    }
    return command(words);
  }

  @Override
  public void run(IsolationOrder running, IsolationTally tally) {
    try {
      AtomicInteger turns = new AtomicInteger();
      threads.run(running, tally, thread -> once(thread, turns.getAndIncrement(), tally));
    } finally {
      disconnect();
    }
  }

  private void once(int thread, int turn, IsolationTally tally) throws IOException {
    Peer peer = peers.get(thread);
    if (peer == null) {
      peer = new Peer(tally);
      peers.set(thread, peer);
    }
    try {
      peer.ask(next(peer, thread, turn), replies());
    } catch (IOException | RuntimeException e) {
      peers.set(thread, null);
      peer.close();
      throw e;
    }
  }

  private int replies() {
    return order.kind() == IsolationAggression.FLOOD ? order.force().depth() : 1;
  }

  private byte[] next(Peer peer, int thread, int turn) {
    return switch (order.kind()) {
      case FLOOD -> flood();
      case SCANS ->
          thread % 2 == 0
              ? requests[0]
              : command("SCAN", peer.cursor, "COUNT", Integer.toString(order.force().depth()));
      default -> requests[Math.floorMod(turn, requests.length)];
    };
  }

  /** Writes to keys that were never written. */
  private byte[] flood() {
    byte[] one = requests[0];
    int depth = order.force().depth();
    byte[] batch = new byte[one.length * depth];
    int at = new String(one, 0, 64, ISO_8859_1).indexOf("flood:");
    long first = nextKey.getAndAdd(depth);
    for (int i = 0; i < depth; i++) {
      System.arraycopy(one, 0, batch, i * one.length, one.length);
      byte[] key = floodKey(first + i).getBytes(ISO_8859_1);
      System.arraycopy(key, 0, batch, i * one.length + at, key.length);
    }
    return batch;
  }

  private static String floodKey(long number) {
    String digits = Long.toString(number);
    return "flood:" + "0".repeat(NUMBER_DIGITS - digits.length()) + digits;
  }

  @Override
  public void clean() {
    if (target.equals(order.target())) {
      return;
    }
    for (int i = 0; i < CLEANINGS; i++) {
      if (flush()) {
        return;
      }
      Clock.sleepMillis(PAUSE_MILLIS);
    }
    throw new BenchException("what an aggressor wrote cannot be removed: FLUSHDB is refused");
  }

  private boolean flush() {
    IsolationTally tally = new IsolationTally();
    try (Peer peer = new Peer(tally)) {
      peer.ask(command("FLUSHDB"), 1);
      return tally.done().total() == 1;
    } catch (IOException | BenchException e) {
      return false;
    }
  }

  @Override
  public void stop() {
    threads.stop();
    disconnect();
  }

  private void disconnect() {
    for (int i = 0; i < peers.length(); i++) {
      Peer peer = peers.getAndSet(i, null);
      if (peer != null) {
        peer.close();
      }
    }
  }

  /** One command, encoded. */
  static byte[] command(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("*" + words.length + "\r\n").getBytes(ISO_8859_1));
    for (String word : words) {
      out.writeBytes(("$" + word.length() + "\r\n").getBytes(ISO_8859_1));
      out.writeBytes(word.getBytes(ISO_8859_1));
      out.write('\r');
      out.write('\n');
    }
    return out.toByteArray();
  }

  /** A connection, logged in. */
  private final class Peer implements AutoCloseable {
    private final SocketChannel channel = SocketChannel.open();
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
    private final byte[] received = new byte[BUFFER];
    private final IsolationTally tally;
    private final RespSkimmer skimmer;
    private int failed;
    private String cursor = "0";

    Peer(IsolationTally tally) throws IOException {
      this.tally = tally;
      skimmer =
          new RespSkimmer(
              text -> {
                failed++;
                tally.failed(text);
              });
      try {
        Sockets.connect(channel, target.login().port(), wire);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    }

    void ask(byte[] request, int replies) throws IOException {
      ByteBuffer out = ByteBuffer.wrap(request);
      while (out.position() < request.length) {
        out.limit(Math.min(request.length, out.position() + BUFFER));
        channel.write(out);
      }
      int before = failed;
      for (int missing = replies; missing > 0; ) {
        in.clear();
        if (channel.read(in) < 0) {
          throw new BenchException("connection closed");
        }
        int length = in.flip().remaining();
        in.get(received, 0, length);
        missing -= skimmer.take(received, 0, length);
      }
      tally.answered(replies - (failed - before));
      cursor = skimmer.first().matches("\\d+") ? skimmer.first() : "0";
    }

    @Override
    public void close() {
      Sockets.close(channel);
    }
  }
}
