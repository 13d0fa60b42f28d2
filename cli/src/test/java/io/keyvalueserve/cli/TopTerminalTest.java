package io.keyvalueserve.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: {@code kvs top} on a terminal, a pseudo terminal of util-linux, and what it leaves there.
 */
class TopTerminalTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String ENTERED = "\u001b[?1049h\u001b[?25l";
  private static final String LEFT = "\u001b[?25h\u001b[?1049l";

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private HttpServer server;
  private Process process;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(isOnPath("script") && isOnPath("stty"), "needs script of util-linux, and stty");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/top",
        exchange -> {
          byte[] body = TopScreenTest.TOP.getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String top =
        String.join(
            " ",
            "env --default-signal=INT", // who starts the tests in the background has it ignored
            "'" + java + "'",
            "-XX:TieredStopAtLevel=1",
            "-cp '" + System.getProperty("java.class.path") + "'",
            Main.class.getName(),
            "top --interval 1 --url http://127.0.0.1:" + server.getAddress().getPort());
    // What the modes are afterwards is told by stty on the same terminal; Ctrl-C is for top alone.
    String script = "trap : INT; stty rows 12 cols 100; " + top + "; echo ended=$?; stty -a";
    ProcessBuilder builder = new ProcessBuilder("script", "-qec", script, "/dev/null");
    builder.environment().put("KVS_KEY", "none");
    builder.environment().put("SHELL", "/bin/sh");
    process = builder.redirectErrorStream(true).start();
    Thread _ = Thread.ofPlatform().daemon().start(this::readAll);
  }

  private static boolean isOnPath(String program) {
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  private void readAll() {
    try (InputStream in = process.getInputStream()) {
      in.transferTo(shown);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void stop() {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (server != null) {
      server.stop(0);
    }
  }

  private String shown() {
    return shown.toString(UTF_8);
  }

  private List<String> descendants() {
    return process
        .descendants()
        .map(each -> each.info().commandLine().orElse("?").replaceAll("-cp \\S+", "-cp ..."))
        .toList();
  }

  private void awaitShown(String text) {
    await().atMost(PATIENCE).until(() -> shown().contains(text));
  }

  private void type(String keys) throws IOException {
    process.getOutputStream().write(keys.getBytes(UTF_8));
    process.getOutputStream().flush();
  }

  private void awaitTerminalGivenBack() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .as(() -> "it ends; of its processes there are " + descendants() + "; shown: " + shown())
        .isTrue();
    awaitShown("-tostop");
    String all = shown();
    assertThat(all.indexOf(LEFT)).isGreaterThan(all.lastIndexOf(ENTERED));
    String modes = all.substring(all.indexOf("ended=0"));
    assertThat(modes).contains(" icanon ", " echo ", "susp = ^Z").doesNotContain("-icanon");
    assertThat(all.substring(all.indexOf(LEFT))).doesNotContain("ops/s");
  }

  @Test
  void keysSwitchTablesAndEndIt() throws Exception {
    awaitShown("*OPS/S");
    assertThat(shown()).contains(ENTERED).contains("globex");
    type("m");
    awaitShown("*MEMBER");
    type("\u001b[C");
    awaitShown("*STATE");
    type("p");
    awaitShown("PAUSED");
    type("q");
    awaitTerminalGivenBack();
  }

  @Test
  void anInterruptGivesTheTerminalBack() throws Exception {
    awaitShown("*OPS/S");
    type("\u0003");
    awaitTerminalGivenBack();
  }
}
