package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A blocking connection that speaks RESP2: commands are gathered and sent together, replies are
 * read one by one. What the server has answered can be read also after it was killed, as far as it
 * has come. Not thread-safe.
 */
final class RespConnection implements AutoCloseable {
  private static final int BUFFER = 1 << 16;
  private static final byte[] LINE_END = {'\r', '\n'};

  private final SocketChannel channel;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(BUFFER);
  private final ByteBuffer in = ByteBuffer.allocate(BUFFER).limit(0);

  /** Connects over loopback. */
  RespConnection(int port) throws IOException {
    channel = SocketChannel.open();
    try {
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Adds a command of words to what is sent next. */
  void add(String... words) {
    begin(words.length);
    for (String word : words) {
      word(word);
    }
  }

  /** Begins a command; that many words have to follow. */
  void begin(int words) {
    write("*" + words);
  }

  /** Adds a word to the command that was begun. */
  void word(String word) {
    word(word.getBytes(ISO_8859_1));
  }

  /** Adds a word to the command that was begun. */
  void word(byte[] word) {
    write("$" + word.length);
    out.writeBytes(word);
    out.writeBytes(LINE_END);
  }

  /** Sends what was added. */
  void send() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray());
    out.reset();
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Sends one command, and waits for its reply. No other may be on its way. */
  RespReply call(String... words) throws IOException {
    add(words);
    send();
    return read();
  }

  /**
   * The next reply.
   *
   * @throws IOException if the server has ended the connection
   */
  RespReply read() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> new RespReply.Line(rest);
      case '-' -> new RespReply.Failure(rest);
      case ':' -> new RespReply.Number(Long.parseLong(rest));
      case '$' -> bytes(Integer.parseInt(rest));
      case '*' -> array(Integer.parseInt(rest));
      default -> throw new BenchException("the server's answer is none of RESP2: " + line);
    };
  }

  private RespReply bytes(int length) throws IOException {
    if (length < 0) {
      return new RespReply.Nil();
    }
    byte[] value = new byte[length];
    for (int at = 0; at < length; ) {
      await();
      int some = Math.min(in.remaining(), length - at);
      in.get(value, at, some);
      at += some;
    }
    line();
    return new RespReply.Bytes(value);
  }

  private RespReply array(int length) throws IOException {
    List<RespReply> elements = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      elements.add(read());
    }
    return new RespReply.Array(elements);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (char next; (next = next()) != '\n'; ) {
      line.append(next);
    }
    return line.substring(0, line.length() - 1);
  }

  private char next() throws IOException {
    await();
    return (char) (in.get() & 0xff);
  }

  /** Waits until there is a byte to take. */
  private void await() throws IOException {
    if (in.hasRemaining()) {
      return;
    }
    in.clear();
    int count = channel.read(in);
    in.flip();
    if (count < 0) {
      throw new EOFException("the server ended the connection");
    }
  }

  private void write(String text) {
    out.writeBytes(text.getBytes(ISO_8859_1));
    out.writeBytes(LINE_END);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new BenchException("a connection could not be closed", e);
    }
  }
}
