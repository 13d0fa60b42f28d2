package io.keyvalueserve.resp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** A Redis of this machine, on a port of its own. Tests that need one are skipped without. */
public final class RedisProcess implements AutoCloseable {
  private static final Path BINARY = Path.of("/usr/bin/redis-server");

  private final Process process;
  private final int port;

  private RedisProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one; the test is skipped if it is not installed. */
  public static RedisProcess start(Path directory, String... options) throws IOException {
    assumeTrue(
        Files.isExecutable(BINARY),
        "SKIPPED: /usr/bin/redis-server is not installed; nothing to compare with");
    int port;
    try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
      port = free.getLocalPort();
    }
    List<String> line =
        new ArrayList<>(
            List.of(
                BINARY.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                directory.toString()));
    line.addAll(List.of(options));
    Process process =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    RedisProcess redis = new RedisProcess(process, port);
    Awaitility.await()
        .ignoreExceptions()
        .until(
            () -> {
              try (WireClient client = redis.connect()) {
                return client.call("PING").equals("+PONG\r\n");
              }
            });
    return redis;
  }

  /** Returns a connection. */
  public WireClient connect() throws IOException {
    return new WireClient(port);
  }

  @Override
  public void close() {
    process.destroy();
  }
}
