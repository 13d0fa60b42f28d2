package io.keyvalueserve.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A peer that is a program of the operating system. Each keeps entries in memory only. */
enum Program {
  REDIS("redis-server"),
  VALKEY("valkey-server"),
  MEMCACHED("memcached");

  /** Its file, and the Debian package that brings it. */
  final String file;

  Program(String file) {
    this.file = file;
  }

  /** What the options of the bench call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Starts it.
   *
   * @param folder for its output
   * @param binary where it is installed
   */
  Contender start(Path folder, Path binary, int valueBytes) {
    return start(folder, binary, List.of(), wire(valueBytes));
  }

  /**
   * Starts it with more arguments.
   *
   * @param wire how it is spoken to then
   */
  Contender start(Path folder, Path binary, List<String> arguments, Wire wire) {
    int port = Ports.free();
    List<String> command = new ArrayList<>(command(binary.toString(), port));
    command.addAll(arguments);
    ServerProcess process = ServerProcess.program(folder, command);
    try {
      Ports.awaitOpen(port, process);
      return new Contender(toString(), process, List.of(), port, wire, process::close);
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  private List<String> command(String binary, int port) {
    String at = Integer.toString(port);
    return switch (this) {
      case REDIS, VALKEY ->
          List.of(
              binary,
              "--port",
              at,
              "--bind",
              "127.0.0.1",
              "--save",
              "",
              "--appendonly",
              "no",
              "--daemonize",
              "no");
      case MEMCACHED ->
          System.getProperty("user.name").equals("root")
              ? List.of(
                  binary, "-t", "1", "-m", "1024", "-l", "127.0.0.1", "-p", at, "-u", "nobody")
              : List.of(binary, "-t", "1", "-m", "1024", "-l", "127.0.0.1", "-p", at);
    };
  }

  private Wire wire(int valueBytes) {
    return switch (this) {
      case REDIS, VALKEY -> new RespWire("", valueBytes);
      case MEMCACHED -> new MemcachedWire(valueBytes);
    };
  }
}
