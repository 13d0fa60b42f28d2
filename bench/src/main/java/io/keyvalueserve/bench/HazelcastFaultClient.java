package io.keyvalueserve.bench;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** Hazelcast's Java client with its defaults, of stock members. */
final class HazelcastFaultClient implements FaultClient {
  private final HazelcastInstance client;
  private final IMap<String, String> map;

  HazelcastFaultClient(List<String> addresses) {
    ClientConfig config = new ClientConfig().setClusterName(StockMember.CLUSTER);
    config.getNetworkConfig().setAddresses(addresses);
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setInitialBackoffMillis(50)
        .setMaxBackoffMillis(500)
        .setClusterConnectTimeoutMillis(-1);
    config.setProperty("hazelcast.logging.type", "none");
    client = HazelcastClient.newHazelcastClient(config);
    map = client.getMap("default");
  }

  @Override
  public void set(String key, String value) throws IOException {
    try {
      map.set(key, value);
    } catch (RuntimeException e) {
      throw new IOException(e);
    }
  }

  @Override
  public String get(String key) throws IOException {
    try {
      return Objects.requireNonNullElse(map.get(key), "");
    } catch (RuntimeException e) {
      throw new IOException(e);
    }
  }

  /** How many members the cluster has, as it is told. */
  int members() {
    return client.getCluster().getMembers().size();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
