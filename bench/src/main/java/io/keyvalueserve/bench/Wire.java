package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A protocol as the raw load speaks it: requests are copies of one that was encoded before, with
 * another key in it, and replies are looked at just enough to know where they end and that they are
 * none of an error. Not thread-safe.
 */
interface Wire {
  /** No answer to a greeting is longer, in bytes. */
  int LONGEST_GREETING = 1 << 16;

  /**
   * Returns the wire of one of several connections; one serves all if it tells none apart.
   *
   * @param connection its number, from 0
   */
  default Wire at(int connection) {
    return this;
  }

  /** What a new connection says before its first request; empty if nothing. */
  byte[] greeting();

  /**
   * The length of the answer to a greeting, in bytes; 0 if it is not all there.
   *
   * @throws BenchException if the server does not let the connection in
   */
  int greeted(byte[] in, int from, int to);

  /** Greets and waits for the answer, on a blocking channel. */
  default void greet(SocketChannel channel) throws IOException {
    ByteBuffer out = ByteBuffer.wrap(greeting());
    if (!out.hasRemaining()) {
      return;
    }
    while (out.hasRemaining()) {
      channel.write(out);
    }
    ByteBuffer in = ByteBuffer.allocate(LONGEST_GREETING);
    while (greeted(in.array(), 0, in.position()) == 0) {
      if (!in.hasRemaining() || channel.read(in) < 0) {
        throw new BenchException("the server closed the connection at its greeting");
      }
    }
  }

  /** The bytes of the longest request. */
  int longestRequest();

  /** The bytes of the longest reply. */
  int longestReply();

  /**
   * Puts a request at a place, and returns where it ends.
   *
   * @param out has room for it
   * @param key the number of the key, see {@link Load#key}
   * @param read whether to read the key, or else to write it
   * @param sequence how many requests this connection has sent before
   */
  int put(byte[] out, int at, int key, boolean read, long sequence);

  /**
   * The length of a reply, in bytes; 0 if it is not all there.
   *
   * @param in what was received
   * @param from where the reply begins
   * @param to where what was received ends
   * @throws BenchException if it is an error, or a value other than the one that was written
   */
  int reply(byte[] in, int from, int to);
}
