package io.keyvalueserve.bench;

import io.keyvalueserve.cli.Main;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A member of this product that is killed and started again. */
final class OwnCrashServer extends CrashServer {

  private final int respPort = Ports.free();
  private final int httpPort = Ports.free();
  private final int clientPort = Ports.free();
  private final int memberPort = Ports.free();
  private final String host;
  private final Path folder;
  private final List<String> jvm;
  private final List<String> arguments = new ArrayList<>();
  private CrashDisk disk = CrashDisk.REAL;
  private long diskSeed;
  private int lives;
  private boolean compactsSoon;
  private @Nullable OwnApi api;

  /**
   * @param folder for its data and its output
   * @param jvm options of its JVM
   */
  OwnCrashServer(Path folder, List<String> jvm, Durability durability) {
    this("127.0.0.1", folder, jvm, durability);
  }

  /**
   * As the other constructor, elsewhere.
   *
   * @param host the address that it listens on
   */
  OwnCrashServer(String host, Path folder, List<String> jvm, Durability durability) {
    super(folder, Children.JAVA);
    this.host = host;
    this.folder = folder;
    this.jvm = jvm;
    arguments.addAll(List.of("serve", "--data", data().toString()));
    arguments.addAll(List.of("--durability", durability.toString()));
    arguments.addAll(List.of("--bind", host, "--cluster-name", OwnServer.CLUSTER));
    arguments.addAll(List.of("--resp-port", Integer.toString(respPort)));
    arguments.addAll(List.of("--http-port", Integer.toString(httpPort)));
    arguments.addAll(List.of("--client-port", Integer.toString(clientPort)));
    arguments.addAll(List.of("--member-port", Integer.toString(memberPort)));
  }

  /**
   * From now on its log has small files, so that some are full and compacted soon, and every other
   * time it serves before it knows its keys.
   */
  void compactSoon() {
    compactsSoon = true;
    arguments.addAll(List.of("--config", settings().toString()));
  }

  private Path settings() {
    return folder.resolve("kvs.yaml");
  }

  private void writeSettings() {
    String keys = lives % 2 == 0 ? "" : "  keys-first-below-mib: 0\n";
    FileTree.write(settings(), "restart:\n  chunk-mib: 1\n" + keys);
  }

  /** Where other members find it, as {@code --join} wants it. */
  String memberAddress() {
    return host + ":" + memberPort;
  }

  /** From now on it is started with this much memory for entries. */
  void memory(long bytes) {
    arguments.addAll(List.of("--memory", (bytes >> 20) + "m"));
  }

  /** From now on it is started with these arguments, too. */
  void with(List<String> more) {
    arguments.addAll(more);
  }

  /** From now on it is started as one of several members. */
  void join(List<String> addresses, Path secretFile) {
    arguments.addAll(List.of("--join", String.join(",", addresses)));
    arguments.addAll(List.of("--cluster-secret-file", secretFile.toString()));
  }

  /**
   * From now on its data are on such a disk.
   *
   * @param seed draws what the disk keeps of what it need not
   */
  void on(CrashDisk disk, long seed) {
    this.disk = disk;
    diskSeed = seed;
  }

  @Override
  void launch() {
    api = new OwnApi(host, httpPort, data());
    if (compactsSoon) {
      writeSettings();
    }
    List<String> options = new ArrayList<>(jvm);
    options.addAll(disk.jvmOptions(lives++, diskSeed));
    start(Children.java(options, Main.class.getName(), arguments));
  }

  @Override
  boolean isReady() {
    process().requireAlive();
    return api().isReady();
  }

  @Override
  boolean isSafe() {
    process().requireAlive();
    return api().isSafe();
  }

  @Override
  boolean hasLoaded() {
    process().requireAlive();
    return api().hasLoaded();
  }

  /** Creates the tenant whose data is written, and returns its key. */
  String newTenant() {
    return api().newTenant(OwnServer.TENANT);
  }

  @Override
  void askToEnd() {
    super.askToEnd();
    api().close();
  }

  @Override
  void kill() {
    super.kill();
    api().close();
  }

  /**
   * From now on its command begins with these words, as to run it in a network namespace. They must
   * leave the process to the JVM ({@code exec}).
   */
  void after(List<String> words) {
    before = words;
  }

  /** The address that it listens on. */
  String host() {
    return host;
  }

  /** Where HTTP clients connect. */
  int httpPort() {
    return httpPort;
  }

  /** Where Hazelcast clients connect. */
  int clientPort() {
    return clientPort;
  }

  @Override
  int port() {
    return respPort;
  }

  private OwnApi api() {
    if (api == null) {
      throw new IllegalStateException("the server was never started");
    }
    return api;
  }
}
