package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A Redis server with a log (AOF) that is killed and started again. */
final class RedisCrashServer implements CrashServer {
  private final int port = Ports.kept();
  private final Path folder;
  private final Path binary;
  private final List<String> command;
  private @Nullable ServerProcess process;

  /**
   * @param folder for its data and its output
   * @param binary where it is installed
   */
  RedisCrashServer(Path folder, Path binary, Durability durability) {
    this.folder = folder;
    this.binary = binary;
    String log = durability == Durability.NONE ? "no" : "yes";
    command =
        List.of(
            binary.toString(),
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--dir",
            data().toString(),
            "--save",
            "",
            "--appendonly",
            log,
            "--appendfsync",
            durability.redis,
            "--auto-aof-rewrite-min-size",
            "8mb",
            "--daemonize",
            "no");
  }

  @Override
  public void launch() {
    try {
      Files.createDirectories(data());
    } catch (IOException e) {
      throw new UncheckedIOException("no room for a server's data: " + data(), e);
    }
    process = ServerProcess.again(folder, command);
  }

  /** It is alone. */
  @Override
  public boolean isSafe() {
    return true;
  }

  @Override
  public boolean isReady() {
    process().requireAlive();
    try (RespConnection connection = new RespConnection(port)) {
      return connection.call("PING") instanceof RespReply.Line;
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void kill() {
    process().kill(binary);
    process = null;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Path data() {
    return folder.resolve("data");
  }

  @Override
  public void close() {
    if (process != null && process.isAlive()) {
      kill();
    }
  }

  private ServerProcess process() {
    if (process == null) {
      throw new IllegalStateException("the server does not run");
    }
    return process;
  }
}
