package io.keyvalueserve.bench;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Hazelcast members as they come in one cluster. Each runs with the JVM options of this product's
 * members but for the heap, which holds its entries.
 */
final class StockCluster implements Grid {
  private static final String HEAP = "-Xmx1g";

  /** Entries, indexes, and the answers of queries that have half of them. */
  static final String QUERY_HEAP = "-Xmx2g";

  private final List<ServerProcess> members = new ArrayList<>();
  private final int port = Ports.free();

  private StockCluster() {}

  /**
   * Starts it.
   *
   * @param folder for the members' output
   * @param size how many members
   */
  static StockCluster start(Path folder, int size) {
    return start(folder, size, List.of(HEAP));
  }

  /**
   * Starts one member whose maps evict.
   *
   * @param policy of Hazelcast
   * @param mebibytes of heap that a map may have
   */
  static StockCluster evicting(Path folder, String policy, long mebibytes) {
    return start(
        folder,
        1,
        List.of(
            HEAP,
            "-D" + StockMember.EVICTION + "=" + policy,
            "-D" + StockMember.MEBIBYTES + "=" + mebibytes));
  }

  /** Starts one member with a heap for queries. */
  static StockCluster forQueries(Path folder) {
    return start(folder, 1, List.of(QUERY_HEAP));
  }

  /**
   * Starts one member with a heap for queries, which answers SQL.
   *
   * @param packages of hazelcast-sql
   */
  static StockCluster withSql(Path folder, Path packages) {
    StockCluster cluster = new StockCluster();
    try {
      cluster.members.add(
          ServerProcess.program(
              folder.resolve("stock"),
              Children.java(
                  Children.packages(_ -> true) + File.pathSeparator + packages + "/*",
                  JvmOptions.ofOthers(QUERY_HEAP, "-D" + StockMember.SQL + "=true"),
                  StockMember.class.getName(),
                  List.of(Integer.toString(cluster.port)))));
      Ports.awaitOpen(cluster.port, cluster.entry());
      cluster.awaitFormed(1);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static StockCluster start(Path folder, int size, List<String> options) {
    StockCluster cluster = new StockCluster();
    List<String> jvm = JvmOptions.with(options);
    String first = Integer.toString(cluster.port);
    try {
      cluster.add(folder.resolve("stock"), jvm, List.of(first));
      Ports.awaitOpen(cluster.port, cluster.entry());
      for (int i = 2; i <= size; i++) {
        cluster.add(
            folder.resolve("stock-" + i), jvm, List.of(Integer.toString(Ports.free()), first));
      }
      cluster.awaitFormed(size);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void add(Path folder, List<String> jvm, List<String> arguments) {
    members.add(ServerProcess.java(folder, jvm, StockMember.class.getName(), arguments));
  }

  @Override
  public String name() {
    return "stock";
  }

  @Override
  public Login login() {
    return new Login(port, StockMember.CLUSTER, "", "");
  }

  @Override
  public ServerProcess entry() {
    return members.getFirst();
  }

  @Override
  public List<ServerProcess> companions() {
    return members.subList(1, members.size());
  }

  @Override
  public void close() {
    members.reversed().forEach(ServerProcess::close);
  }
}
