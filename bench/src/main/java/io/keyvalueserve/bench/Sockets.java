package io.keyvalueserve.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Connections of loads, over loopback. */
final class Sockets {
  private static final int SHOWN_BYTES = 200;

  private Sockets() {}

  static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Connects, so that requests are sent at once, and greets. Blocks. */
  static void connect(SocketChannel channel, int port, Wire wire) throws IOException {
    channel.connect(address(port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    wire.greet(channel);
  }

  static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new BenchException("a connection could not be closed", e);
    }
  }

  static Selector selector() {
    try {
      return Selector.open();
    } catch (IOException e) {
      throw new BenchException("this system gives no selector", e);
    }
  }

  /**
   * Has connections go on that can.
   *
   * @param millis how long to wait for one; 0 for not at all
   */
  static void select(Selector selector, Consumer<SelectionKey> progress, long millis) {
    try {
      if (millis == 0) {
        selector.selectNow(progress);
      } else {
        selector.select(progress, millis);
      }
    } catch (IOException e) {
      throw new BenchException("waiting for replies failed", e);
    }
  }

  static void close(Selector selector) {
    try {
      selector.close();
    } catch (IOException e) {
      throw new BenchException("the selector could not be closed", e);
    }
  }

  /** What to throw for an answer that is an error of a protocol of lines; it may be cut off. */
  static BenchException answered(byte[] in, int from, int to) {
    String words =
        new String(in, from, Math.min(to - from, SHOWN_BYTES), StandardCharsets.ISO_8859_1);
    return new BenchException(RespWire.ANSWERED + words.lines().findFirst().orElse(""));
  }
}
