package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A connection of the raw load: one batch of requests on its way at a time. */
final class RawConnection implements AutoCloseable {
  private static final int SMALLEST_BUFFER = 4096;

  private final Wire wire;
  private final SocketChannel channel;
  private final SelectionKey key;
  private final byte[] requests;
  private final byte[] replies;
  private final ByteBuffer out;
  private final ByteBuffer in;
  private long sequence;
  private int missing;

  /** When its batch was, or should have been, sent: in the time of {@link System#nanoTime}. */
  long since;

  /** When its next batch should be sent, if the load has a rate. */
  long due;

  /**
   * Connects over loopback, and greets.
   *
   * @param batch the most requests of a batch
   */
  RawConnection(Wire wire, int port, int batch, Selector selector) {
    this.wire = wire;
    requests = new byte[batch * wire.longestRequest()];
    replies = new byte[Math.max(SMALLEST_BUFFER, batch * wire.longestReply())];
    out = ByteBuffer.wrap(requests);
    in = ByteBuffer.wrap(replies);
    try {
      channel = SocketChannel.open();
      try {
        Sockets.connect(channel, port, wire);
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ, this);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException e) {
      throw new BenchException("the server's port " + port + " does not answer", e);
    }
  }

  boolean isIdle() {
    return missing == 0;
  }

  /** Adds a request to the batch that is not yet sent. */
  void add(int number, boolean read) {
    out.position(wire.put(requests, out.position(), number, read, sequence++));
    missing++;
  }

  /** Waits for more than it has asked for: what others have the server send it. */
  void expect(int more) {
    missing += more;
  }

  /** Sends the batch. */
  void send() {
    out.flip();
    write();
  }

  /**
   * Goes on with what the selector found possible.
   *
   * @return how many replies have come
   */
  int progress() {
    if (key.isWritable()) {
      write();
    }
    return key.isReadable() ? read() : 0;
  }

  private void write() {
    try {
      channel.write(out);
    } catch (IOException e) {
      throw new BenchException("the server closed a connection", e);
    }
    boolean all = !out.hasRemaining();
    int interest = all ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
    if (key.interestOps() != interest) {
      key.interestOps(interest);
    }
    if (all) {
      out.clear();
    }
  }

  private int read() {
    try {
      if (channel.read(in) < 0) {
        throw new BenchException("the server closed a connection");
      }
    } catch (IOException e) {
      throw new BenchException("the server closed a connection", e);
    }
    int from = 0;
    int to = in.position();
    int count = 0;
    while (from < to) {
      int length = wire.reply(replies, from, to);
      if (length == 0) {
        break;
      }
      from += length;
      count++;
    }
    in.flip().position(from);
    in.compact();
    missing -= count;
    if (missing < 0) {
      throw new BenchException("the server sent more replies than there were requests");
    }
    return count;
  }

  @Override
  public void close() {
    Sockets.close(channel);
  }
}
