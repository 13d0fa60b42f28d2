package io.keyvalueserve.bench;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/** What all connections that one thread drives send from and receive into. */
final class StormBuffers {
  private final ByteBuffer direct = ByteBuffer.allocateDirect(Wire.LONGEST_GREETING);
  private final byte[] request;
  private final byte[] received = new byte[Wire.LONGEST_GREETING];

  StormBuffers(Wire wire) {
    if (wire.longestReply() > received.length || wire.longestRequest() > received.length) {
      throw new BenchException(
          "values are too large for very many connections: at most about "
              + (received.length >> 10)
              + " KB");
    }
    request = new byte[wire.longestRequest()];
  }

  /** Where a request is put together. */
  byte[] request() {
    return request;
  }

  /** What the last read found. */
  byte[] received() {
    return received;
  }

  /** Writes, and returns what the kernel did not take. */
  byte[] write(SocketChannel channel, byte[] bytes, int length) throws IOException {
    direct.clear().put(bytes, 0, length).flip();
    channel.write(direct);
    byte[] rest = new byte[direct.remaining()];
    direct.get(rest);
    return rest;
  }

  /**
   * Reads what is there.
   *
   * @param before what had come before and is not complete
   * @return how many bytes there are now, with those
   */
  int read(SocketChannel channel, byte[] before) throws IOException {
    System.arraycopy(before, 0, received, 0, before.length);
    direct.clear().limit(received.length - before.length);
    int count = channel.read(direct);
    if (count < 0) {
      throw new EOFException("the server closed the connection");
    }
    direct.flip().get(received, before.length, count);
    return before.length + count;
  }

  /** A copy of a part of what was read. */
  byte[] kept(int from, int to) {
    return Arrays.copyOfRange(received, from, to);
  }
}
