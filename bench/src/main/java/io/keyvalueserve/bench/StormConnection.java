package io.keyvalueserve.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One of very many connections: it keeps no buffer, but for the rest of a request that the kernel
 * did not take and of a reply that did not come whole. One request is on its way at a time.
 */
final class StormConnection {
  private static final byte[] NOTHING = {};

  /** Each address of loopback has 28,000 ports for clients, if nobody changed that. */
  private static final int EACH_ADDRESS = 20_000;

  /** How far it has come. */
  enum State {
    CONNECTING,
    GREETING,
    ASKING,
    IDLE,
    WAITING,
    CLOSED
  }

  private final StormBuffers buffers;
  private final Wire wire;
  private final SocketChannel channel;
  private final SelectionKey key;
  private byte[] unsent = NOTHING;
  private byte[] received = NOTHING;
  private long sequence;
  private State state = State.CONNECTING;

  /** When its request was due; while it opens, when it began: as {@link System#nanoTime}. */
  long since = System.nanoTime();

  /** When its next request is due. */
  long due;

  /** Begins to connect over loopback. */
  StormConnection(Wire wire, int port, InetAddress source, StormBuffers buffers, Selector selector)
      throws IOException {
    this.wire = wire;
    this.buffers = buffers;
    channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (!source.equals(InetAddress.getLoopbackAddress())) {
        channel.bind(new InetSocketAddress(source, 0));
      }
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      key = channel.register(selector, SelectionKey.OP_CONNECT, this);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The address that the connection of a number comes from. */
  static InetAddress source(int number) throws IOException {
    int last = 1 + number / EACH_ADDRESS;
    return InetAddress.getByAddress(new byte[] {127, 0, (byte) (last >> 8), (byte) last});
  }

  State state() {
    return state;
  }

  /** Sends a request. */
  void request(int number, boolean read) throws IOException {
    int length = wire.put(buffers.request(), 0, number, read, sequence++);
    state = state == State.IDLE ? State.WAITING : State.ASKING;
    write(buffers.request(), length);
  }

  /**
   * Goes on with what the selector found possible.
   *
   * @return whether a request was answered
   * @throws IOException if the server ended the connection
   * @throws BenchException if the server answered an error
   */
  boolean progress() throws IOException {
    if (key.isConnectable() && channel.finishConnect()) {
      greet();
      return false;
    }
    if (key.isWritable()) {
      write(unsent, unsent.length);
    }
    return key.isReadable() && read();
  }

  private void greet() throws IOException {
    byte[] greeting = wire.greeting();
    if (greeting.length == 0) {
      key.interestOps(SelectionKey.OP_READ);
      askFirst();
    } else {
      state = State.GREETING;
      write(greeting, greeting.length);
    }
  }

  private void askFirst() throws IOException {
    request(0, true);
  }

  private void write(byte[] bytes, int length) throws IOException {
    unsent = buffers.write(channel, bytes, length);
    int interest =
        unsent.length == 0 ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
    if (key.interestOps() != interest) {
      key.interestOps(interest);
    }
  }

  private boolean read() throws IOException {
    int there = buffers.read(channel, received);
    byte[] in = buffers.received();
    int length = state == State.GREETING ? wire.greeted(in, 0, there) : wire.reply(in, 0, there);
    received = there == length ? NOTHING : buffers.kept(length, there);
    if (length == 0) {
      return false;
    }
    if (received.length > 0 || state == State.IDLE) {
      throw new BenchException("the server sent more than it was asked for");
    }
    if (state == State.GREETING) {
      askFirst();
      return false;
    }
    state = State.IDLE;
    return true;
  }

  void close() {
    state = State.CLOSED;
    Sockets.close(channel);
  }
}
