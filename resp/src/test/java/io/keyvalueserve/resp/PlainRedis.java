package io.keyvalueserve.resp;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;

/** A process of Redis to compare with. A test without one is skipped. */
final class PlainRedis implements AutoCloseable {
  private static final Path BINARY = Path.of("/usr/bin/redis-server");

  private final Process process;
  private final int port;

  private PlainRedis(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static PlainRedis start(Path directory) throws IOException {
    assumeTrue(
        Files.isExecutable(BINARY),
        "SKIPPED: " + BINARY + " is not installed; nothing to compare with");
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Process process =
        new ProcessBuilder(
                BINARY.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    PlainRedis redis = new PlainRedis(process, port);
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

  WireClient connect() throws IOException {
    return new WireClient(port);
  }

  @Override
  public void close() {
    process.destroy();
  }
}
