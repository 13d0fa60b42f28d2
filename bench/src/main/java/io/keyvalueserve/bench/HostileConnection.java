package io.keyvalueserve.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * A connection of a hostile peer over loopback. It never blocks for longer than it is told,
 * whatever the server does, and searches all that it receives for secrets. Not thread-safe.
 */
final class HostileConnection implements AutoCloseable {
  private static final int BUFFER = 1 << 16;
  private static final int MOST_SHOWN = 4096;

  private final SocketChannel channel;
  private final SelectionKey key;
  private final HostileSecrets.Search search;
  private final ByteBuffer in = ByteBuffer.allocate(BUFFER);
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private long received;
  private boolean ended;

  /** Returns the address of loopback that a peer connects from, another one than the victim's. */
  static InetAddress from(int peer) {
    try {
      return InetAddress.getByAddress(new byte[] {127, 1, (byte) peer, 1});
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  /**
   * Connects.
   *
   * @param from the own address
   * @param selector of the caller's thread
   */
  HostileConnection(InetAddress from, int port, Selector selector, HostileSecrets secrets)
      throws IOException {
    search = secrets.search();
    channel = SocketChannel.open();
    try {
      channel
          .socket()
          .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 2_000);
      channel.configureBlocking(false);
      key = channel.register(selector, SelectionKey.OP_READ);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Sends bytes, and reads meanwhile.
   *
   * @param reads whether what comes is read
   * @param deadline in the time of {@link System#nanoTime}
   * @return how many bytes the server took
   */
  int send(byte[] bytes, boolean reads, long deadline) {
    ByteBuffer out = ByteBuffer.wrap(bytes);
    try {
      while (!ended && out.hasRemaining() && System.nanoTime() < deadline) {
        int count = channel.write(out);
        if (reads) {
          read();
        }
        if (count == 0) {
          await(SelectionKey.OP_WRITE | (reads ? SelectionKey.OP_READ : 0), 20);
        }
      }
    } catch (IOException e) {
      ended = true;
    }
    return out.position();
  }

  /**
   * Reads until nothing more has come for a while.
   *
   * @param firstMillis how long to wait for the first bytes
   * @param quietMillis how long to wait for more
   * @param deadline in the time of {@link System#nanoTime}
   */
  void listen(long firstMillis, long quietMillis, long deadline) {
    long before = received;
    long last = System.nanoTime();
    try {
      while (!ended && System.nanoTime() < deadline) {
        long patience = (received == before ? firstMillis : quietMillis) * 1_000_000;
        long left = Math.min(last + patience, deadline) - System.nanoTime();
        if (left <= 0) {
          return;
        }
        await(SelectionKey.OP_READ, Math.max(1, left / 1_000_000));
        if (read() > 0) {
          last = System.nanoTime();
        }
      }
    } catch (IOException e) {
      ended = true;
    }
  }

  /** Reads what has come, and waits for nothing. */
  void drain() {
    try {
      if (!ended) {
        int _ = read();
      }
    } catch (IOException e) {
      ended = true;
    }
  }

  private void await(int operations, long millis) throws IOException {
    key.interestOps(operations);
    key.selector().select(millis);
    key.selector().selectedKeys().clear();
  }

  private int read() throws IOException {
    int all = 0;
    int count;
    while ((count = channel.read(in)) > 0) {
      search.add(in.array(), count);
      shown.write(in.array(), 0, Math.min(count, MOST_SHOWN - Math.min(MOST_SHOWN, shown.size())));
      in.clear();
      received += count;
      all += count;
      if (all > 16 * BUFFER) {
        return all; // the caller has a deadline
      }
    }
    if (count < 0) {
      ended = true;
    }
    return all;
  }

  /** Returns what has come since the last time that this was asked, or its beginning. */
  byte[] takeShown() {
    byte[] bytes = shown.toByteArray();
    shown.reset();
    return bytes;
  }

  /** Returns how many bytes have come in all. */
  long received() {
    return received;
  }

  /** Returns whether the server has closed the connection. */
  boolean hasEnded() {
    return ended;
  }

  /** Returns the secrets that were received. */
  Iterable<String> leaks() {
    return search.found();
  }

  @Override
  public void close() {
    key.cancel();
    try {
      channel.close();
      key.selector().selectNow();
    } catch (IOException e) {
      throw new BenchException("a connection could not be closed", e);
    }
  }
}
