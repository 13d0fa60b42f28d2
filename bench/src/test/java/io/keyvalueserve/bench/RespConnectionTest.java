package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RespConnectionTest {
  private ServerSocket listener;
  private RespConnection connection;
  private Socket server;

  @BeforeEach
  void connect() throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    connection = new RespConnection(listener.getLocalPort());
    server = listener.accept();
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
    server.close();
    listener.close();
  }

  @Test
  void sendsWhatWasAddedTogether() throws IOException {
    connection.add("DEL", "a");
    connection.begin(2);
    connection.word("GET");
    connection.word(new byte[] {'b', 0});
    connection.send();
    String expected = "*2\r\n$3\r\nDEL\r\n$1\r\na\r\n*2\r\n$3\r\nGET\r\n$2\r\nb\0\r\n";
    byte[] sent = server.getInputStream().readNBytes(expected.length());
    assertThat(new String(sent, ISO_8859_1)).isEqualTo(expected);
  }

  @Test
  void readsEveryKindOfReply() throws IOException {
    String large = "x".repeat(200_000);
    answer("+OK\r\n-LOADING wait\r\n:-2\r\n$-1\r\n$0\r\n\r\n*2\r\n$1\r\n0\r\n*1\r\n$2\r\nab\r\n");
    assertThat(connection.read()).isEqualTo(new RespReply.Line("OK"));
    RespReply failure = connection.read();
    assertThat(failure).isEqualTo(new RespReply.Failure("LOADING wait"));
    assertThat(((RespReply.Failure) failure).kind()).isEqualTo("LOADING");
    assertThat(new RespReply.Failure("ERR timeout: of key").kind()).isEqualTo("ERR timeout");
    assertThat(connection.read()).isEqualTo(new RespReply.Number(-2));
    assertThat(connection.read()).isEqualTo(new RespReply.Nil());
    assertThat(bytes(connection.read())).isEmpty();
    assertThat(connection.read())
        .isInstanceOfSatisfying(
            RespReply.Array.class,
            array -> {
              assertThat(bytes(array.elements().getFirst())).isEqualTo("0");
              List<RespReply> keys = ((RespReply.Array) array.elements().getLast()).elements();
              assertThat(bytes(keys.getFirst())).isEqualTo("ab");
            });
    Thread.startVirtualThread(() -> answer("$200000\r\n" + large + "\r\n"));
    assertThat(bytes(connection.read())).isEqualTo(large);
  }

  @Test
  void readsWhatWasAnsweredBeforeTheEnd() throws IOException {
    answer("+OK\r\n+O");
    server.close();
    assertThat(connection.read()).isEqualTo(new RespReply.Line("OK"));
    assertThatThrownBy(connection::read).isInstanceOf(EOFException.class);
  }

  private void answer(String text) {
    try {
      server.getOutputStream().write(text.getBytes(ISO_8859_1));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String bytes(RespReply reply) {
    return new String(((RespReply.Bytes) reply).value(), ISO_8859_1);
  }
}
