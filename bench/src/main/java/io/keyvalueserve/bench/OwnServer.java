package io.keyvalueserve.bench;

import io.keyvalueserve.cli.Main;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A member of this product: {@code kvs serve}, ready, with one tenant if it founds a cluster. */
final class OwnServer implements AutoCloseable {
  /** The tenant whose data the load reads and writes. */
  static final String TENANT = "bench";

  /** The cluster's name, which Hazelcast clients tell. */
  static final String CLUSTER = "kvs";

  private static final long START_SECONDS = 120;

  private final int respPort = Ports.free();
  private final int httpPort = Ports.free();
  private final int clientPort = Ports.free();
  private final int memberPort = Ports.free();
  private final Path data;
  private final OwnApi api;
  private final ServerProcess process;
  private final String key;

  private OwnServer(
      Path folder, List<String> before, List<String> jvm, List<String> arguments, boolean founds) {
    this(folder, folder.resolve("data"), before, jvm, arguments, founds);
  }

  private OwnServer(
      Path folder,
      Path data,
      List<String> before,
      List<String> jvm,
      List<String> arguments,
      boolean founds) {
    this.data = data;
    api = new OwnApi(httpPort, data);
    List<String> all =
        new ArrayList<>(List.of("serve", "--data", data.toString(), "--bind", "127.0.0.1"));
    all.addAll(List.of("--cluster-name", CLUSTER));
    all.addAll(List.of("--resp-port", Integer.toString(respPort)));
    all.addAll(List.of("--http-port", Integer.toString(httpPort)));
    all.addAll(List.of("--client-port", Integer.toString(clientPort)));
    all.addAll(List.of("--member-port", Integer.toString(memberPort)));
    all.addAll(arguments);
    if (!arguments.contains("--durability")) { // its peers keep entries in memory only
      all.addAll(List.of("--durability", Durability.NONE.toString()));
    }
    process = ServerProcess.java(folder, before, jvm, Main.class.getName(), all);
    try {
      process.await(this::isReady, 50, START_SECONDS, "the server was not ready");
      key = founds ? api.newTenant(TENANT) : "";
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  /**
   * Starts a cluster of one.
   *
   * @param folder for its data and its output
   * @param jvm options of its JVM
   * @param arguments of {@code kvs serve} beside those that every bench needs
   */
  static OwnServer found(Path folder, List<String> jvm, List<String> arguments) {
    return found(folder, List.of(), jvm, arguments);
  }

  /**
   * Starts a cluster of one.
   *
   * @param before what goes before its command
   */
  static OwnServer found(
      Path folder, List<String> before, List<String> jvm, List<String> arguments) {
    return new OwnServer(folder, both(before, Cores.server()), jvm, arguments, true);
  }

  /**
   * Starts a cluster of one with the data that another one has left.
   *
   * @param data the folder of that data
   */
  static OwnServer again(Path folder, Path data, List<String> jvm, List<String> arguments) {
    return new OwnServer(folder, data, Cores.server(), jvm, arguments, false);
  }

  private static List<String> both(List<String> first, List<String> second) {
    List<String> both = new ArrayList<>(first);
    both.addAll(second);
    return both;
  }

  /**
   * Starts a cluster of one whose event loops have the servers' core to themselves; all its other
   * threads are where the load is.
   *
   * @param before what goes before its command
   */
  static OwnServer foundWithLoopsApart(
      Path folder, List<String> before, List<String> jvm, List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("--resp-cpus", Integer.toString(Cores.ofServer())));
    return new OwnServer(folder, both(before, Cores.load()), jvm, all, true);
  }

  /** Starts a member that joins this one's cluster. */
  OwnServer join(Path folder, List<String> jvm, List<String> arguments) {
    List<String> all = new ArrayList<>(List.of("--join", "127.0.0.1:" + memberPort));
    all.addAll(List.of("--cluster-secret-file", data.resolve("cluster.secret").toString()));
    all.addAll(arguments);
    return new OwnServer(folder, Cores.server(), jvm, all, false);
  }

  ServerProcess process() {
    return process;
  }

  /** Where Redis clients connect. */
  int respPort() {
    return respPort;
  }

  /** Where Hazelcast clients connect. */
  int clientPort() {
    return clientPort;
  }

  /** Returns the port of HTTP. */
  int httpPort() {
    return httpPort;
  }

  /** Returns the port for other members. */
  int memberPort() {
    return memberPort;
  }

  /** Returns the four ports by their doors. */
  Map<HostileDoor, Integer> doors() {
    return Map.of(
        HostileDoor.RESP,
        respPort,
        HostileDoor.HAZELCAST,
        clientPort,
        HostileDoor.HTTP,
        httpPort,
        HostileDoor.MEMBER,
        memberPort);
  }

  /** Returns the folder of its data, its keys and secrets. */
  Path data() {
    return data;
  }

  /** The key of {@link #TENANT}; empty if this member joined. */
  String key() {
    return key;
  }

  /** The operator's API. */
  OwnApi api() {
    return api;
  }

  /** The memory it has taken off the Java heap for maps, in bytes. */
  long nativeBytes() {
    return api.nativeBytes();
  }

  @Override
  public void close() {
    try {
      api.close();
    } finally {
      process.close();
    }
  }

  /** Whether it says that it can serve. */
  boolean isReady() {
    return api.isReady();
  }
}
