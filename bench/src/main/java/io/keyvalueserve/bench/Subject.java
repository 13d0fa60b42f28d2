package io.keyvalueserve.bench;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.nio.file.Path;
import java.util.List;

/** A server under test with a client of it. */
interface Subject extends AutoCloseable {
  /** The process. */
  ServerProcess process();

  /** A map of it, through a client over loopback. */
  IMap<String, byte[]> map();

  /** The memory it has taken off the Java heap for maps, in bytes; 0 if it has none. */
  long nativeBytes();

  @Override
  void close();

  /** The options of a server's JVM that keeps its whole heap and logs its pauses. */
  static List<String> jvm(Path folder, Collector collector, long heapBytes) {
    List<String> options =
        JvmOptions.with(
            List.of(
                collector.option, "-Xms" + heapBytes, "-Xmx" + heapBytes, "-XX:+AlwaysPreTouch"));
    options.add(Pauses.option(folder));
    return options;
  }

  /** A client that gives up after a minute. */
  static HazelcastInstance connect(ServerProcess process, ClientConfig config, int port) {
    config.getNetworkConfig().addAddress("127.0.0.1:" + port);
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(60_000);
    config.setProperty("hazelcast.client.invocation.timeout.seconds", "120");
    process.requireAlive();
    return HazelcastClient.newHazelcastClient(config);
  }
}
