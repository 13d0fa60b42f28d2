package io.keyvalueserve.acceptance;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A real server in a process of its own, on loopback ports of its own. It keeps its ports and its
 * data over {@link #launch}, {@link #kill} and {@link #terminate}; {@link #close} ends the process
 * and deletes the data. What it prints goes to {@code target/servers/NAME-N.log}, which stays.
 *
 * <p>No server outlives the JVM of the tests, unless that one is killed itself.
 */
final class KvsProcess implements AutoCloseable {
  private static final Duration START_PATIENCE = Duration.ofSeconds(90);
  private static final Duration COMMAND_PATIENCE = Duration.ofSeconds(60);
  private static final Duration EXIT_PATIENCE = Duration.ofSeconds(30);
  private static final int TAIL_LINES = 60;
  private static final int LAST_LINES = 4;
  private static final int FILE_LIMIT_BYTES = 4_096;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private final int respPort = FreePorts.next();
  private final int postgresPort = FreePorts.next();
  private final int httpPort = FreePorts.next();
  private final int clientPort = FreePorts.next();
  private final int memberPort = FreePorts.next();
  private final String host;
  private final List<String> launcher;
  private final Path data;
  private final Path output;
  private final AdminApi admin;
  private @Nullable Process process;

  /** A server that is not started yet. The name is for its folder and its log. */
  KvsProcess(String name) {
    this(name, "127.0.0.1", List.of());
  }

  /**
   * As {@link #KvsProcess(String)}, elsewhere.
   *
   * @param host the address that it listens on
   * @param launcher what its command begins with, as to run it in a network namespace
   */
  KvsProcess(String name, String host, List<String> launcher) {
    this.host = host;
    this.launcher = launcher;
    this.data = Scratch.newFolder(name);
    this.output = data.resolveSibling(data.getFileName() + ".log");
    this.admin = new AdminApi(host, httpPort, data.resolve("operator.key"));
  }

  /** A member on its own that serves. */
  static KvsProcess start(String name) {
    KvsProcess server = new KvsProcess(name);
    try {
      server.launch();
      server.awaitReady();
      return server;
    } catch (Throwable failure) {
      server.close();
      throw failure;
    }
  }

  /**
   * Starts the process and does not wait for it.
   *
   * @param moreArguments go after {@code serve} and the arguments for data and ports
   */
  void launch(String... moreArguments) {
    if (isRunning()) {
      throw new IllegalStateException("the server runs already");
    }
    List<String> command = new ArrayList<>(launcher);
    command.addAll(ServerJvm.command("serve"));
    command.addAll(fastPath(moreArguments));
    command.addAll(List.of("--data", data.toString(), "--bind", host));
    command.addAll(List.of("--resp-port", Integer.toString(respPort)));
    command.addAll(List.of("--postgres-port", Integer.toString(postgresPort)));
    command.addAll(List.of("--http-port", Integer.toString(httpPort)));
    command.addAll(List.of("--client-port", Integer.toString(clientPort)));
    command.addAll(List.of("--member-port", Integer.toString(memberPort)));
    command.addAll(List.of(moreArguments));
    try {
      Process started =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
              .start();
      RUNNING.add(started);
      var _ = started.onExit().thenAccept(RUNNING::remove);
      process = started;
    } catch (IOException e) {
      throw new UncheckedIOException("the server's process could not be started", e);
    }
  }

  /** The long way for everything, if the tests run with {@code -Dkvs.test.fast-path=off}. */
  private List<String> fastPath(String... moreArguments) {
    if (!System.getProperty("kvs.test.fast-path", "on").equals("off")
        || List.of(moreArguments).contains("--config")) {
      return List.of();
    }
    try {
      Path config = folder().resolve("fast-path.yaml");
      Files.writeString(config, "fast-path:\n  direct: false\n  coalescing: false\n");
      return List.of("--config", config.toString());
    } catch (IOException e) {
      throw new UncheckedIOException("the server's configuration could not be written", e);
    }
  }

  /** Runs a command of {@code kvs} as this server's operator; returns what it printed. */
  String kvs(String... command) {
    List<String> line = ServerJvm.command(command);
    line.addAll(List.of("--url", httpAddress()));
    line.addAll(List.of("--key-file", data.resolve("operator.key").toString()));
    return Commands.run(data, Map.of(), COMMAND_PATIENCE, line);
  }

  /** A folder that is deleted with the server. */
  Path folder() {
    return data;
  }

  /** Waits until the server says that it serves. */
  void awaitReady() {
    try {
      await("the server is ready")
          .atMost(START_PATIENCE)
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                if (!isRunning()) {
                  throw new AssertionError(whyItDied());
                }
                return admin.isReady();
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("the server was not ready in time\n" + tail(), e);
    }
  }

  /** Waits until other members find this one. */
  void awaitMemberPort() {
    await("the port for members is open")
        .atMost(START_PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              if (!isRunning()) {
                throw new AssertionError(whyItDied());
              }
              try (Socket probe = new Socket()) {
                probe.connect(new InetSocketAddress(host, memberPort));
                return true;
              } catch (IOException notYet) {
                return false;
              }
            });
  }

  /** The operator's API of this member. */
  AdminApi admin() {
    return admin;
  }

  /** The address of the HTTP door, which is also the console's. */
  String httpAddress() {
    return "http://" + host + ":" + httpPort;
  }

  /** The operator's key. */
  String operatorKey() {
    try {
      return Files.readString(data.resolve("operator.key")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("the server has made no operator key", e);
    }
  }

  InetSocketAddress respAddress() {
    return new InetSocketAddress(host, respPort);
  }

  int respPort() {
    return respPort;
  }

  int postgresPort() {
    return postgresPort;
  }

  InetSocketAddress clientAddress() {
    return new InetSocketAddress(host, clientPort);
  }

  /** Where other members find this one, as {@code --join} wants it. */
  String memberAddress() {
    return host + ":" + memberPort;
  }

  /** The process's number. */
  long pid() {
    return running().pid();
  }

  boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Ends the process at once, as a power cut does (SIGKILL). */
  void kill() {
    Process running = running();
    running.destroyForcibly();
    awaitExit(running);
  }

  /**
   * Has the disk refuse whatever the process writes from now on: no file may be longer than a page,
   * as the kernel sees it (EFBIG). It stays so until the process ends. Its output is lost as well.
   */
  void failDisk() {
    String limit = "--fsize=" + FILE_LIMIT_BYTES;
    Commands.run(
        data,
        Map.of(),
        COMMAND_PATIENCE,
        List.of("prlimit", "--pid", Long.toString(running().pid()), limit));
  }

  /** Asks the process to end (SIGTERM), and returns at once. */
  void askToEnd() {
    running().destroy();
  }

  /** Asks the process to end (SIGTERM) and returns its exit code. */
  int terminate() {
    askToEnd();
    return awaitExit(running());
  }

  /** The exit code of a process that ends by itself or was asked to. */
  int awaitExit() {
    return awaitExit(running());
  }

  /** In one line what matters, as summaries of tests show no more; below it the rest. */
  private String whyItDied() {
    String last = tail(LAST_LINES).replace("\n", " | ");
    int code = running().exitValue();
    return "the server died while it started (exit code " + code + "): " + last + "\n" + tail();
  }

  /** The last lines that the process printed. */
  String tail() {
    return "--- the end of " + output + "\n" + tail(TAIL_LINES) + "\n---";
  }

  /** Whether a line that the process printed has a text in it. */
  boolean hasLogged(String text) {
    return tail(Integer.MAX_VALUE).contains(text);
  }

  private String tail(int most) {
    try {
      List<String> lines = Files.exists(output) ? Files.readAllLines(output) : List.of();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - most), lines.size()));
    } catch (IOException e) {
      return output + " is not readable: " + e;
    }
  }

  @Override
  public void close() {
    if (isRunning()) {
      kill();
    }
    Scratch.delete(data);
  }

  private Process running() {
    if (process == null) {
      throw new IllegalStateException("the server was never started");
    }
    return process;
  }

  private int awaitExit(Process ending) {
    try {
      if (!ending.waitFor(EXIT_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("the server did not end within " + EXIT_PATIENCE + "\n" + tail());
      }
      return ending.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the server ended", e);
    }
  }
}
