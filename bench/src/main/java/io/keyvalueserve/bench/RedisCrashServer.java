package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Redis server that is killed and started again. */
final class RedisCrashServer extends CrashServer {
  private final int port = Ports.free();
  private final List<String> command;

  /**
   * Writes a log, which it keeps short.
   *
   * @param folder for its data and its output
   * @param binary where it is installed
   */
  RedisCrashServer(Path folder, Path binary, Durability durability) {
    this(
        folder,
        binary,
        List.of(
            "--appendonly",
            durability == Durability.NONE ? "no" : "yes",
            "--appendfsync",
            durability.redis,
            "--auto-aof-rewrite-min-size",
            "8mb"));
  }

  /**
   * Keeps its data as it is told to.
   *
   * @param folder for its data and its output
   * @param binary where it is installed
   * @param persistence the arguments that say how
   */
  RedisCrashServer(Path folder, Path binary, List<String> persistence) {
    super(folder, binary);
    command = new ArrayList<>(List.of(binary.toString(), "--port", Integer.toString(port)));
    command.addAll(List.of("--bind", "127.0.0.1", "--dir", data().toString()));
    command.addAll(List.of("--save", "", "--daemonize", "no"));
    command.addAll(persistence);
  }

  @Override
  void launch() {
    FileTree.make(data());
    start(command);
  }

  /** It is alone. */
  @Override
  boolean isSafe() {
    return true;
  }

  @Override
  boolean hasLoaded() {
    return true; // it answers no GET before
  }

  @Override
  boolean isReady() {
    process().requireAlive();
    try (RespConnection connection = new RespConnection(port)) {
      return connection.call("PING") instanceof RespReply.Line;
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  int port() {
    return port;
  }
}
