package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** The channel's bytes, if each wait for some has an end. */
  private final @Nullable InputStream timed;

  /** Connects over loopback. */
  RespConnection(int port) throws IOException {
    this(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
  }

  /**
   * Connects.
   *
   * @param patienceMillis how long to wait for a connection, and for some bytes of a reply; 0 for
   *     as long as it takes. A reply that does not come is a {@link
   *     java.net.SocketTimeoutException}
   */
  RespConnection(InetSocketAddress address, int patienceMillis) throws IOException {
    channel = SocketChannel.open();
    try {
      channel.socket().connect(address, patienceMillis);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().setSoTimeout(patienceMillis);
      timed = patienceMillis == 0 ? null : channel.socket().getInputStream();
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Connects over loopback, and logs in.
   *
   * @param login the words of the command; none if the server does not ask for it
   * @throws Refused if the server does not let the connection in
   */
  static RespConnection open(int port, List<String> login) throws IOException {
    RespConnection connection = new RespConnection(port);
    try {
      if (!login.isEmpty()
          && connection.call(login.toArray(String[]::new)) instanceof RespReply.Failure failure) {
        throw new Refused(failure);
      }
      return connection;
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** A server answered a login by an error. */
  static final class Refused extends IOException {
    /** The kind of error. */
    final String kind;

    Refused(RespReply.Failure failure) {
      super(failure.text());
      kind = failure.kind();
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
    if (length < 0) {
      return new RespReply.Nil();
    }
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
    in.clear().limit(timed == null ? BUFFER : 0);
    int count = timed == null ? channel.read(in) : timed.read(in.array());
    in.position(0).limit(Math.max(count, 0));
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
    Sockets.close(channel);
  }
}
