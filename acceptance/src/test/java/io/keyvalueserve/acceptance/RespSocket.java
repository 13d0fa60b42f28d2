package io.keyvalueserve.acceptance;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * A bare connection to the RESP door, for what a client library hides: when the connection ends,
 * and whether it ends between two replies or within one.
 */
final class RespSocket implements AutoCloseable {
  private static final int PATIENCE_MS = 15_000;

  private final Socket socket = new Socket();
  private final InputStream replies;

  private RespSocket(InetSocketAddress address) throws IOException {
    socket.connect(address, PATIENCE_MS);
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    replies = new BufferedInputStream(socket.getInputStream());
  }

  /** A connection of a tenant, on the given map. */
  static RespSocket open(KvsProcess member, Tenant tenant, String map) throws IOException {
    RespSocket opened = new RespSocket(member.respAddress());
    opened.send(command("AUTH", tenant.name() + "/" + map, tenant.accessKey()));
    String reply = opened.readLine();
    if (!reply.equals("+OK")) {
      opened.close();
      throw new AssertionError("AUTH answered " + reply);
    }
    return opened;
  }

  /** A command as clients send it: an array of bulk strings. */
  static String command(String... words) {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      int length = word.getBytes(StandardCharsets.UTF_8).length;
      text.append('$').append(length).append("\r\n").append(word).append("\r\n");
    }
    return text.toString();
  }

  void send(String commands) throws IOException {
    socket.getOutputStream().write(commands.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The next line of a reply.
   *
   * @throws EOFException if the connection ended between two replies
   * @throws SocketException if it was reset between two replies
   * @throws AssertionError if it ended within one
   */
  String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = next(line); ; next = next(line)) {
      if (next < 0 && line.isEmpty()) {
        throw new EOFException("the server ended the connection");
      }
      if (next < 0) {
        throw new AssertionError("the connection ended within a reply: '" + line + "'");
      }
      if (next == '\n') {
        return line.substring(0, line.length() - 1);
      }
      line.append((char) next);
    }
  }

  private int next(StringBuilder before) throws IOException {
    try {
      return replies.read();
    } catch (SocketException reset) {
      if (before.isEmpty()) {
        throw reset;
      }
      throw new AssertionError("the connection was reset within a reply: '" + before + "'", reset);
    }
  }

  /** Whether the server ends the connection in time, without being asked for anything. */
  boolean endsBy(Deadline deadline) throws IOException {
    try {
      int next;
      do {
        socket.setSoTimeout(Math.toIntExact(deadline.remainingMs()));
        next = replies.read(); // A farewell before the end is fine.
      } while (next >= 0);
      return true;
    } catch (SocketTimeoutException stillOpen) {
      return false;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
