package io.keyvalueserve.bench;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.security.UsernamePasswordCredentials;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A server under test with a client of it over loopback.
 *
 * @param process the server
 * @param client connected
 * @param offHeap the memory that the server has taken off the Java heap for maps, in bytes
 * @param end ends the server
 */
record Subject(ServerProcess process, HazelcastInstance client, LongSupplier offHeap, Runnable end)
    implements AutoCloseable {
  /**
   * Starts this product: {@code kvs serve} with one tenant, all of its policy on.
   *
   * @param heapBytes of Java heap
   * @param memory arguments of {@code kvs serve} that say which memory maps have
   */
  static Subject own(Path folder, Collector collector, long heapBytes, List<String> memory) {
    OwnServer server = OwnServer.found(folder, jvm(folder, collector, heapBytes), memory);
    ClientConfig config = new ClientConfig().setClusterName(OwnServer.CLUSTER);
    config
        .getSecurityConfig()
        .setCredentials(new UsernamePasswordCredentials(OwnServer.TENANT, server.key()));
    return connected(
        server.process(), config, server.clientPort(), server::nativeBytes, server::close);
  }

  /** Starts Hazelcast as it comes: one member, maps on the Java heap. */
  static Subject stock(Path folder, Collector collector, long heapBytes) {
    int port = Ports.free();
    ServerProcess process =
        ServerProcess.java(
            folder,
            jvm(folder, collector, heapBytes),
            StockMember.class.getName(),
            List.of(Integer.toString(port)));
    ClientConfig config = new ClientConfig().setClusterName(StockMember.CLUSTER);
    return connected(process, config, port, () -> 0, process::close);
  }

  /** The options of a server's JVM that keeps its whole heap and logs its pauses. */
  private static List<String> jvm(Path folder, Collector collector, long heapBytes) {
    List<String> options =
        JvmOptions.with(
            List.of(
                collector.option, "-Xms" + heapBytes, "-Xmx" + heapBytes, "-XX:+AlwaysPreTouch"));
    options.add(Pauses.option(folder));
    return options;
  }

  /** With a client that gives up after a minute. */
  private static Subject connected(
      ServerProcess process, ClientConfig config, int port, LongSupplier offHeap, Runnable end) {
    config.getNetworkConfig().addAddress("127.0.0.1:" + port);
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(60_000);
    config.setProperty("hazelcast.client.invocation.timeout.seconds", "120");
    try {
      process.requireAlive();
      return new Subject(process, HazelcastClient.newHazelcastClient(config), offHeap, end);
    } catch (RuntimeException e) {
      end.run();
      throw e;
    }
  }

  IMap<String, byte[]> map() {
    return client.getMap("bench");
  }

  @Override
  public void close() {
    try {
      client.shutdown();
    } finally {
      end.run();
    }
  }
}
