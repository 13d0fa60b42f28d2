package io.keyvalueserve.acceptance;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.security.SimpleTokenCredentials;
import com.hazelcast.security.UsernamePasswordCredentials;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The Java client of Hazelcast, as it comes, against one of our members. */
final class HazelcastClients {
  static final String CLUSTER = "kvs";

  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(20);

  private HazelcastClients() {}

  /** A connected client. The one who asks shuts it down; {@link Connection} does it by itself. */
  static Connection connect(KvsProcess member, Tenant tenant) {
    return connect(config(member.clientAddress(), tenant, CONNECT_PATIENCE));
  }

  static Connection connect(ClientConfig config) {
    return new Connection(HazelcastClient.newHazelcastClient(config));
  }

  /** A configuration by tenant and access key, which gives up connecting after a time. */
  static ClientConfig config(InetSocketAddress address, Tenant tenant, Duration patience) {
    ClientConfig config = anonymous(address, patience);
    config
        .getSecurityConfig()
        .setCredentials(new UsernamePasswordCredentials(tenant.name(), tenant.accessKey()));
    return config;
  }

  /** A configuration by access key alone. */
  static ClientConfig tokenConfig(InetSocketAddress address, String accessKey) {
    ClientConfig config = anonymous(address, CONNECT_PATIENCE);
    byte[] token = accessKey.getBytes(StandardCharsets.UTF_8);
    config.getSecurityConfig().setCredentials(new SimpleTokenCredentials(token));
    return config;
  }

  /** A configuration without credentials. */
  static ClientConfig anonymous(InetSocketAddress address, Duration patience) {
    ClientConfig config = new ClientConfig().setClusterName(CLUSTER);
    config
        .getNetworkConfig()
        .addAddress(address.getAddress().getHostAddress() + ":" + address.getPort());
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setInitialBackoffMillis(100)
        .setClusterConnectTimeoutMillis(patience.toMillis());
    config.setProperty("hazelcast.client.invocation.timeout.seconds", "20");
    config.setProperty("hazelcast.client.statistics.enabled", "false");
    return config;
  }

  /** A client that shuts down at the end of its block. */
  record Connection(HazelcastInstance client) implements AutoCloseable {
    @Override
    public void close() {
      client.shutdown();
    }
  }
}
