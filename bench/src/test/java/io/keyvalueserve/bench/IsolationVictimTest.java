package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a victim tells what a server does to it, and asks for as much as it should. Method: a
 * server that answers what a test says.
 */
class IsolationVictimTest {
  private static final int RATE = 1000;
  private static final long SECOND = 1_000_000_000;
  private static final long PAUSE_MILLIS = 400;
  private static final int CONNECTIONS = 4;
  private static final String REPLY = "$5\r\nabcde\r\n";

  @TempDir private Path folder;

  @Test
  void countsTheWaitOfRequestsThatAPauseKeptFromBeingSent() throws Exception {
    IsolationSeen seen =
        run(
            number -> {
              if (number == 300) {
                Clock.sleepMillis(PAUSE_MILLIS);
              }
              return REPLY;
            });
    assertThat(seen.asked()).isEqualTo(RATE);
    assertThat(seen.answered()).isEqualTo(RATE);
    assertThat(seen.failed()).isZero();
    assertThat(seen.window().latencies().getTotalCount()).isEqualTo(RATE);
    // One connection of four waited: of its 250 requests 70 or more were due meanwhile.
    assertThat(seen.window().micros(94)).isGreaterThan(50_000);
    // One waited for the reply, those after it to be sent.
    assertThat(seen.slowest())
        .hasSize(RATE / 100)
        .isSortedAccordingTo(SlowRequest.BY_LATENCY.reversed());
    List<SlowRequest> paused =
        seen.slowest().stream()
            .filter(each -> each.answered() - each.sent() > PAUSE_MILLIS * 1_000_000)
            .toList();
    assertThat(paused).hasSize(1);
    long end = paused.getFirst().answered();
    assertThat(seen.slowest()).anyMatch(each -> each.due() < end && each.sent() >= end);
  }

  @Test
  void tellsErrorsAndGoesOn() throws Exception {
    IsolationSeen seen =
        run(number -> number % 10 == 0 ? "-THROTTLED number " + number + "\r\n" : REPLY);
    assertThat(seen.errors()).containsOnlyKeys("THROTTLED");
    assertThat(seen.failed()).isBetween(RATE / 10L - 1, RATE / 10L + 1);
    assertThat(seen.answered() + seen.failed()).isEqualTo(RATE);
    assertThat(seen.window().latencies().getTotalCount())
        .as("an error at once is no short latency")
        .isEqualTo(seen.answered());
  }

  @Test
  void opensAnewWhatTheServerClosed() throws Exception {
    IsolationSeen seen = run(number -> number % 100 == 50 ? "" : REPLY);
    assertThat(seen.errors()).containsOnlyKeys("connection closed");
    assertThat(seen.failed()).isBetween(RATE / 100L - 1, RATE / 100L + 1);
    assertThat(seen.answered() + seen.failed()).isEqualTo(RATE);
  }

  @Test
  void takesAnotherValueForAnError() throws Exception {
    IsolationSeen seen = run(number -> number == 500 ? "$4\r\nabcd\r\n" : REPLY);
    assertThat(seen.failed()).isEqualTo(1);
    assertThat(seen.answered()).isEqualTo(RATE - 1);
  }

  private IsolationSeen run(IntFunction<String> answers) throws Exception {
    try (Server server = new Server(answers);
        ServerProcess process = ServerProcess.program(folder, List.of("sleep", "60"))) {
      Login login = new Login(server.listener.getLocalPort(), "", "", "");
      IsolationTarget target = IsolationTarget.resp(login, 0, 100, 5);
      Contender contender =
          new Contender("fake", process, List.of(), login.port(), target.wire(), process::close);
      try (IsolationVictim victim =
          new IsolationVictim(
              contender, target, CONNECTIONS, RATE, Mix.of("get"), process::cpuNanos)) {
        long begin = System.nanoTime();
        return victim.run(begin, begin, begin + SECOND, 1, () -> 0);
      }
    }
  }

  /** Answers each request as it is told, by its number; what is empty ends the connection. */
  private static final class Server implements AutoCloseable {
    private static final int GET_BYTES = new RespWire("", 5).put(new byte[200], 0, 0, true, 0);

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final IntFunction<String> answers;
    private final AtomicInteger number = new AtomicInteger();

    Server(IntFunction<String> answers) throws IOException {
      this.answers = answers;
      Thread.startVirtualThread(this::accept);
    }

    private void accept() {
      try {
        while (true) {
          Socket socket = listener.accept();
          Thread.startVirtualThread(() -> serve(socket));
        }
      } catch (IOException e) {
        // closed
      }
    }

    private void serve(Socket socket) {
      try (socket) {
        InputStream in = socket.getInputStream();
        while (in.readNBytes(GET_BYTES).length == GET_BYTES) {
          String answer = answers.apply(number.getAndIncrement());
          if (answer.isEmpty()) {
            return;
          }
          socket.getOutputStream().write(answer.getBytes(US_ASCII));
        }
      } catch (IOException e) {
        // the client has ended the connection
      }
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }
}
