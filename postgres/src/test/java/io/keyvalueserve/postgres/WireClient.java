package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.wire.Message;
import io.keyvalueserve.postgres.wire.MessageBody;
import io.keyvalueserve.postgres.wire.MessageWriter;
import io.keyvalueserve.tenancy.Scram;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client that says exactly what it is told to, and shows the answers as text. */
final class WireClient implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;
  final MessageWriter out = new MessageWriter();
  int process;
  byte[] secret = new byte[0];

  WireClient(TestDoor door) throws IOException {
    socket = door.socket();
    in = new DataInputStream(socket.getInputStream());
  }

  /** A client that has authenticated. */
  static WireClient of(TestDoor door, String tenant) throws IOException {
    WireClient client = new WireClient(door);
    client.startup(0x30000, "user", tenant);
    String answer = client.scram(tenant, door.key(tenant));
    if (!answer.startsWith("R:12")) {
      throw new AssertionError(answer);
    }
    client.upToReady();
    return client;
  }

  void send() throws IOException {
    socket.getOutputStream().write(out.take());
    socket.getOutputStream().flush();
  }

  void sendRaw(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Sends a first message. */
  void startup(int version, String... parameters) throws IOException {
    MessageWriter body = new MessageWriter();
    for (String parameter : parameters) {
      body.text(parameter);
    }
    request(version, body.int8(0).take());
  }

  void request(int code, byte[] rest) throws IOException {
    out.int32(rest.length + 8).int32(code).bytes(rest);
    send();
  }

  int readByte() throws IOException {
    return in.read();
  }

  /**
   * Authenticates.
   *
   * @param key empty for a wrong proof that takes no time
   * @return the answer to the last message, or the error
   */
  String scram(String tenant, String key) throws IOException {
    String offer = read();
    if (!offer.startsWith("R:10")) {
      return offer;
    }
    String first = "n=,r=abcdefgh";
    out.begin('p').text("SCRAM-SHA-256").value("n,," + first).end();
    send();
    Message answer = message();
    if (answer.type() != 'R') {
      return shown(answer);
    }
    MessageBody body = answer.read();
    int code = body.int32();
    String server = new String(body.rest(), StandardCharsets.UTF_8);
    String nonce = server.substring(2, server.indexOf(','));
    String salt = server.substring(server.indexOf(",s=") + 3, server.indexOf(",i="));
    String last = "c=biws,r=" + nonce;
    byte[] signed = (first + "," + server + "," + last).getBytes(StandardCharsets.UTF_8);
    byte[] proof =
        key.isEmpty()
            ? new byte[32]
            : Scram.proof(key, Base64.getDecoder().decode(salt), 4096, signed);
    out.begin('p')
        .bytes(
            (last + ",p=" + Base64.getEncoder().encodeToString(proof))
                .getBytes(StandardCharsets.UTF_8))
        .end();
    send();
    return code == 11 ? read() : "code " + code;
  }

  void query(String sql) throws IOException {
    out.begin('Q').text(sql).end();
    send();
  }

  WireClient parse(String name, String sql) {
    out.begin('P').text(name).text(sql).int16(0).end();
    return this;
  }

  WireClient bind(String portal, String statement, String... values) {
    out.begin('B').text(portal).text(statement).int16(0).int16(values.length);
    for (String value : values) {
      out.value(value);
    }
    out.int16(0).end();
    return this;
  }

  WireClient execute(String portal, int rows) {
    out.begin('E').text(portal).int32(rows).end();
    return this;
  }

  WireClient sync() {
    out.begin('S').end();
    return this;
  }

  private Message message() throws IOException {
    byte type = in.readByte();
    byte[] body = new byte[in.readInt() - 4];
    in.readFully(body);
    return new Message(type, body);
  }

  /** Reads a message; {@code end} if the connection is closed. */
  String read() throws IOException {
    try {
      return shown(message());
    } catch (EOFException | SocketException e) {
      return "end";
    }
  }

  /** Reads messages up to the one that says that the next statement may come. */
  List<String> upToReady() throws IOException {
    List<String> messages = new ArrayList<>();
    String message;
    do {
      message = read();
      messages.add(message);
    } while (!message.startsWith("Z") && !message.equals("end"));
    return messages;
  }

  private String shown(Message message) {
    char type = (char) message.type();
    MessageBody body = message.read();
    return switch (type) {
      case 'R' -> "R:" + body.int32();
      case 'K' -> {
        process = body.int32();
        secret = body.rest();
        yield "K";
      }
      case 'Z' -> "Z:" + (char) body.int8();
      case 'C' -> "C:" + body.text();
      case 'E', 'N' -> type + ":" + fields(body);
      case 'D' -> "D:" + row(body);
      case 'S' -> "S:" + body.text() + "=" + body.text();
      case 'v' -> "v:" + Integer.toHexString(body.int32()) + ":" + body.int32();
      default -> String.valueOf(type);
    };
  }

  private static String fields(MessageBody body) {
    String state = "";
    String text = "";
    byte field;
    while ((field = body.int8()) != 0) {
      String value = body.text();
      state = field == 'C' ? value : state;
      text = field == 'M' ? value : text;
    }
    return state + ":" + text;
  }

  private static String row(MessageBody body) {
    List<String> values = new ArrayList<>();
    for (int i = body.int16(); i > 0; i--) {
      byte @Nullable [] value = body.value();
      values.add(value == null ? "" : new String(value, StandardCharsets.UTF_8));
    }
    return String.join("|", values);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
