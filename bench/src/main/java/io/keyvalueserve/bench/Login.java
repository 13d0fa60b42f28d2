package io.keyvalueserve.bench;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.RoutingMode;
import com.hazelcast.security.UsernamePasswordCredentials;

/**
 * What a Hazelcast client tells a member.
 *
 * @param port of loopback
 * @param cluster the cluster's name
 * @param user empty for a cluster that asks for none
 * @param password of the user
 */
record Login(int port, String cluster, String user, String password) {
  /** A client that sends all it has to say to this one member, and gives up after a minute. */
  ClientConfig config() {
    ClientConfig config = new ClientConfig().setClusterName(cluster);
    config.getNetworkConfig().addAddress("127.0.0.1:" + port);
    config.getNetworkConfig().getClusterRoutingConfig().setRoutingMode(RoutingMode.SINGLE_MEMBER);
    config
        .getConnectionStrategyConfig()
        .getConnectionRetryConfig()
        .setClusterConnectTimeoutMillis(60_000);
    if (!user.isEmpty()) {
      config.getSecurityConfig().setCredentials(new UsernamePasswordCredentials(user, password));
    }
    return config;
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "Login[port=" + port + ", cluster=" + cluster + ", user=" + user + "]";
  }
}
