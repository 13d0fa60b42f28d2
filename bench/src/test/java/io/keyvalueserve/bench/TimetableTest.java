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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a load with a rate tells what a server's pause costs those who would have asked meanwhile.
 * Method: a server that answers nothing for a while. At 1,000 requests a second and four
 * connections a pause meets four requests; without it hundreds more would have been sent.
 */
class TimetableTest {
  private static final int RATE = 1000;
  private static final long SECOND = 1_000_000_000;
  private static final long PAUSE_MILLIS = 400;
  private static final RespWire WIRE = new RespWire("", 5);

  @TempDir private Path folder;

  /** The second pause lasts until after the end of what is measured. */
  @ParameterizedTest
  @ValueSource(ints = {300, 700})
  void countsTheWaitOfRequestsThatAPauseKeptFromBeingSent(int pauseAfterAnswers) throws Exception {
    try (PausingServer server = new PausingServer(pauseAfterAnswers);
        Contender contender = server.contender(folder)) {
      Window window = RawLoad.once(contender, shape(RATE), 100, 1, 0, SECOND);
      assertThat(window.micros(80)).isGreaterThan(50_000); // of 100 requests 30 or more had to wait
      assertThat(window.latencies().getTotalCount()).isGreaterThanOrEqualTo(RATE * 95 / 100);
      assertThat(window.offer().perSecond()).isEqualTo(RATE);
    }
  }

  @Test
  void isMissedByWhoAnswersLess() throws Exception {
    try (PausingServer server = new PausingServer(500);
        Contender contender = server.contender(folder)) {
      Window window = RawLoad.once(contender, shape(RATE), 100, 1, 0, SECOND * 7 / 10);
      assertThat(window.kept()).isBetween(0.05, 0.9);
    }
  }

  private static Shape shape(long rate) {
    return new Shape(1, 4, 1, Mix.of("get"), rate);
  }

  /** Answers GET with a value, but pauses once. */
  private static final class PausingServer implements AutoCloseable {
    private static final int GET_BYTES = WIRE.put(new byte[200], 0, 0, true, 0);
    private static final byte[] REPLY = "$5\r\nabcde\r\n".getBytes(US_ASCII);

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int pauseAfter;
    private int answered;

    PausingServer(int pauseAfter) throws IOException {
      this.pauseAfter = pauseAfter;
      Thread.ofVirtual().start(this::accept);
    }

    /** Its processor time is not looked at: another process stands for it. */
    Contender contender(Path folder) {
      ServerProcess process = ServerProcess.program(folder.resolve("logs"), List.of("sleep", "60"));
      return new Contender(
          "pausing", process, List.of(), socket.getLocalPort(), WIRE, process::close);
    }

    private void accept() {
      try {
        while (true) {
          Socket client = socket.accept();
          Thread.ofVirtual().start(() -> answer(client));
        }
      } catch (IOException e) {
        // closed
      }
    }

    private void answer(Socket client) {
      try (client;
          InputStream in = client.getInputStream()) {
        while (in.readNBytes(GET_BYTES).length == GET_BYTES) {
          pauseOnce();
          client.getOutputStream().write(REPLY);
        }
      } catch (IOException | InterruptedException e) {
        // the load has closed the connection
      }
    }

    /** Who comes meanwhile waits for the lock. */
    private synchronized void pauseOnce() throws InterruptedException {
      if (++answered == pauseAfter) {
        Thread.sleep(PAUSE_MILLIS);
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
