package io.keyvalueserve.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Connects, logs in, asks once and closes, on several threads. */
final class IsolationStorm implements IsolationAttack {
  /** Closed connections keep their ports for a minute: each address of loopback has its own. */
  private static final int ADDRESSES = 250;

  private static final int SMALLEST_BUFFER = 4096;

  private final IsolationTarget target;
  private final Wire wire;
  private final IsolationThreads threads = new IsolationThreads();
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger next = new AtomicInteger();

  IsolationStorm(IsolationTarget target) {
    this.target = target;
    wire = target.wire();
  }

  @Override
  public void run(IsolationOrder order, IsolationTally tally) {
    threads.run(order, tally, _ -> connectAndAsk(tally));
  }

  private void connectAndAsk(IsolationTally tally) throws IOException {
    TolerantWire own = target.tolerant(wire, tally::failed);
    SocketChannel channel = SocketChannel.open();
    open.add(channel);
    try (channel) {
      byte last = (byte) (2 + Math.floorMod(next.getAndIncrement(), ADDRESSES));
      channel.bind(
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 1, last}), 0));
      channel.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), target.login().port()));
      own.greet(channel);
      ask(own, channel);
      tally.answered(1 - own.failed());
    } finally {
      open.remove(channel);
    }
  }

  private static void ask(Wire wire, SocketChannel channel) throws IOException {
    byte[] request = new byte[wire.longestRequest()];
    ByteBuffer out = ByteBuffer.wrap(request, 0, wire.put(request, 0, 0, true, 0));
    while (out.hasRemaining()) {
      channel.write(out);
    }
    ByteBuffer in = ByteBuffer.allocate(Math.max(SMALLEST_BUFFER, wire.longestReply()));
    do {
      if (channel.read(in) < 0) {
        throw new BenchException("connection closed");
      }
    } while (wire.reply(in.array(), 0, in.position()) == 0);
  }

  @Override
  public void stop() {
    threads.stop();
    open.forEach(Sockets::close);
  }
}
