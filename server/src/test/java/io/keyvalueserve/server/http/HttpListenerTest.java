package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.webserver.WebServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A web server whose listener ended listens again, at the same port. */
@Timeout(60)
class HttpListenerTest {
  private static final String HOST = "127.0.0.1";

  private final List<WebServer> started = new ArrayList<>();
  private final HttpListener listener = new HttpListener(HOST, 0, this::start);

  private boolean failing;

  private WebServer start(int port) {
    if (failing) {
      throw new UncheckedIOException(new IOException("no descriptor is free"));
    }
    WebServer server = WebServer.builder().host(HOST).port(port).build().start();
    started.add(server);
    return server;
  }

  @AfterEach
  void close() {
    listener.close();
  }

  private void connect() throws IOException {
    new Socket(InetAddress.getLoopbackAddress(), listener.port()).close();
  }

  @Test
  void oneThatListensIsLeftAlone() {
    listener.check();
    assertThat(started).hasSize(1);
  }

  @Test
  void oneThatEndedIsReplacedAtItsPort() {
    started.getFirst().stop();
    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    listener.check();
    assertThat(started).hasSize(2);
    assertThat(started.getLast().port()).isEqualTo(listener.port());
    assertThatCode(this::connect).doesNotThrowAnyException();
  }

  @Test
  void oneThatCannotBeReplacedYetIsReplacedLater() {
    started.getFirst().stop();
    failing = true;
    listener.check();
    assertThat(started).hasSize(1);
    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    failing = false;
    listener.check();
    assertThat(started).hasSize(2);
    assertThatCode(this::connect).doesNotThrowAnyException();
  }

  @Test
  void oneThatWasClosedIsNotReplaced() {
    listener.close();
    listener.check();
    assertThat(started).hasSize(1);
    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
  }
}
