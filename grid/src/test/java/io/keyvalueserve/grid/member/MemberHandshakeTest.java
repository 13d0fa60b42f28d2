package io.keyvalueserve.grid.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MemberHandshakeTest {
  private final MemberHandshake ours = new MemberHandshake(secret("the secret of our cluster"));

  @Test
  void letsMembersWithTheSameSecretTalk() throws Exception {
    MemberHandshake theirs = new MemberHandshake(secret("the secret of our cluster"));
    Ends ends = shakeHands(ours, theirs);
    assertThat(ends.acceptorError()).isNull();
    assertThat(ends.connectorError()).isNull();
    assertThat(theirs.refusals()).isZero();
  }

  @Test
  void refusesAMemberWithAnotherSecretOnBothSides() throws Exception {
    MemberHandshake theirs = new MemberHandshake(secret("the secret of another cluster"));
    Ends ends = shakeHands(ours, theirs);
    assertThat(ends.acceptorError()).hasMessageContaining("another cluster secret");
    assertThat(ends.connectorError()).hasMessageContaining("another cluster secret");
    assertThat(theirs.refusals()).isEqualTo(1);
  }

  @Test
  void refusesAPeerThatOnlyReflectsWhatItIsSent() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket peer = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<@Nullable Throwable> result =
          CompletableFuture.supplyAsync(() -> outcome(() -> ours.onAccept(accepted)), executor);
      byte[] greeting = peer.getInputStream().readNBytes(40);
      byte[] reflected = new byte[64];
      System.arraycopy(greeting, 8, reflected, 0, 32);
      System.arraycopy(greeting, 8, reflected, 32, 32);
      peer.getOutputStream().write(reflected);
      assertThat(result.get()).hasMessageContaining("another cluster secret");
    }
  }

  @Test
  void refusesAPeerThatSpeaksSomethingElse() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket connector = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      accepted
          .getOutputStream()
          .write("HTTP/1.1 400 Bad Request\r\n\r\n".repeat(4).getBytes(StandardCharsets.US_ASCII));
      assertThatThrownBy(() -> ours.onConnect(connector))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not the member port");
    }
  }

  @Test
  void wantsASecretThatIsOne() {
    assertThatThrownBy(() -> new MemberHandshake(new byte[15]))
        .hasMessageContaining("bytes=15")
        .hasMessageContaining("at least 16");
  }

  private record Ends(@Nullable Throwable acceptorError, @Nullable Throwable connectorError) {}

  private static Ends shakeHands(MemberHandshake acceptor, MemberHandshake connector)
      throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket connecting = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<@Nullable Throwable> accepting =
          CompletableFuture.supplyAsync(
              () -> outcomeClosing(accepted, () -> acceptor.onAccept(accepted)), executor);
      Throwable connected = outcome(() -> connector.onConnect(connecting));
      return new Ends(accepting.get(), connected);
    }
  }

  private interface Exchange {
    void run() throws IOException;
  }

  /** Hazelcast closes a connection whose handshake failed. */
  private static @Nullable Throwable outcomeClosing(Socket socket, Exchange exchange) {
    Throwable error = outcome(exchange);
    if (error != null) {
      try {
        socket.close();
      } catch (IOException e) {
        error.addSuppressed(e);
      }
    }
    return error;
  }

  private static @Nullable Throwable outcome(Exchange exchange) {
    try {
      exchange.run();
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  private static byte[] secret(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
