package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A blocking client that sends bytes and gives each reply back as the bytes it was, in Latin-1. */
public final class WireClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;

  private final Socket socket;
  private final OutputStream out;
  private final InputStream in;

  public WireClient(int port) throws IOException {
    this(port, 0);
  }

  /**
   * @param receiveBufferBytes the kernel's buffer for what was not read; 0 for the usual
   */
  public WireClient(int port, int receiveBufferBytes) throws IOException {
    socket = new Socket();
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    out = socket.getOutputStream();
    in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
  }

  /** The bytes of a request, as an array of bulk strings. */
  public static byte[] request(byte[]... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(latin("*" + arguments.length + "\r\n"));
    for (byte[] argument : arguments) {
      bytes.writeBytes(latin("$" + argument.length + "\r\n"));
      bytes.writeBytes(argument);
      bytes.writeBytes(latin("\r\n"));
    }
    return bytes.toByteArray();
  }

  /** The bytes of a request. */
  public static byte[] request(String... arguments) {
    byte[][] bytes = new byte[arguments.length][];
    for (int i = 0; i < arguments.length; i++) {
      bytes[i] = latin(arguments[i]);
    }
    return request(bytes);
  }

  /** The same as text of one byte for each character. */
  static String requestText(String... arguments) {
    return new String(request(arguments), ISO_8859_1);
  }

  public void send(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  public void send(String text) throws IOException {
    send(latin(text));
  }

  /** Sends a request and reads its reply. */
  public String call(String... arguments) throws IOException {
    send(request(arguments));
    return reply();
  }

  /** Says that nothing more will be sent. */
  public void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  /**
   * Reads one reply.
   *
   * @throws EOFException if the connection has ended
   */
  public String reply() throws IOException {
    ByteArrayOutputStream reply = new ByteArrayOutputStream();
    read(reply);
    return reply.toString(ISO_8859_1);
  }

  /** The next bytes, so many unless the server closes the connection. */
  String next(int bytes) throws IOException {
    return new String(in.readNBytes(bytes), ISO_8859_1);
  }

  /** All that the server still sends until it closes the connection. */
  public String rest() throws IOException {
    return new String(in.readAllBytes(), ISO_8859_1);
  }

  /** Whether the server closes the connection without another byte. */
  public boolean isClosedByServer() {
    try {
      return in.read() < 0;
    } catch (IOException e) {
      return true;
    }
  }

  private void read(ByteArrayOutputStream reply) throws IOException {
    int from = reply.size();
    int b;
    do {
      b = in.read();
      if (b < 0) {
        throw new EOFException("the connection has ended");
      }
      reply.write(b);
    } while (b != '\n');
    String line = reply.toString(ISO_8859_1).substring(from);
    char type = line.charAt(0);
    switch (type) {
      case '$', '=' -> {
        int length = Integer.parseInt(line.substring(1, line.length() - 2));
        if (length >= 0) {
          byte[] body = in.readNBytes(length + 2);
          if (body.length < length + 2) {
            throw new EOFException("the connection has ended within a reply");
          }
          reply.writeBytes(body);
        }
      }
      case '*', '~', '>', '%' -> {
        int count = Integer.parseInt(line.substring(1, line.length() - 2));
        for (int i = 0; i < (type == '%' ? 2 * count : count); i++) {
          read(reply);
        }
      }
      default -> {}
    }
  }

  private static byte[] latin(String text) {
    return text.getBytes(ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
