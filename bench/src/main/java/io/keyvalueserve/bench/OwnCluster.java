package io.keyvalueserve.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Members of this product in one cluster. What enters it enters at the first. */
final class OwnCluster implements Grid {
  private final String name;
  private final List<OwnServer> members = new ArrayList<>();

  private OwnCluster(String name) {
    this.name = name;
  }

  /**
   * Starts it.
   *
   * @param name what the results call it
   * @param folder for the members' data and output
   * @param size how many members
   * @param arguments of each one's {@code kvs serve}
   */
  static OwnCluster start(String name, Path folder, int size, List<String> arguments) {
    return start(name, folder, size, JvmOptions.usual(), arguments);
  }

  /** Starts one member with a heap for queries, as its peers have it. */
  static OwnCluster forQueries(String name, Path folder) {
    return start(name, folder, 1, JvmOptions.with(List.of(StockCluster.QUERY_HEAP)), List.of());
  }

  private static OwnCluster start(
      String name, Path folder, int size, List<String> jvm, List<String> arguments) {
    OwnCluster cluster = new OwnCluster(name);
    try {
      OwnServer first = OwnServer.found(folder.resolve(name), jvm, arguments);
      cluster.members.add(first);
      for (int i = 2; i <= size; i++) {
        cluster.members.add(first.join(folder.resolve(name + "-" + i), jvm, arguments));
      }
      cluster.awaitFormed(size);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** As Redis clients reach it. */
  Contender resp(int valueBytes) {
    OwnServer first = members.getFirst();
    return new Contender(
        name,
        first.process(),
        companions(),
        first.respPort(),
        RespWire.of(OwnServer.TENANT, first.key(), valueBytes),
        this::close);
  }

  /** The memory that all members have taken off the Java heap for maps, in bytes. */
  long nativeBytes() {
    return members.stream().mapToLong(OwnServer::nativeBytes).sum();
  }

  /** Whether the member that requests enter at says that it can serve. */
  boolean isReady() {
    return members.getFirst().isReady();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Login login() {
    OwnServer first = members.getFirst();
    return new Login(first.clientPort(), OwnServer.CLUSTER, OwnServer.TENANT, first.key());
  }

  @Override
  public ServerProcess entry() {
    return members.getFirst().process();
  }

  @Override
  public List<ServerProcess> companions() {
    return members.stream().skip(1).map(OwnServer::process).toList();
  }

  @Override
  public void close() {
    members.reversed().forEach(OwnServer::close);
  }
}
