package io.keyvalueserve.acceptance;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * A member of plain Hazelcast as it comes, in this JVM: what it answers is by definition what a
 * Hazelcast client may expect.
 */
record StockHazelcast(HazelcastInstance member, InetSocketAddress clientAddress)
    implements AutoCloseable {
  static StockHazelcast start() {
    int port = FreePorts.next();
    Config config = new Config().setClusterName(HazelcastClients.CLUSTER);
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    return new StockHazelcast(
        Hazelcast.newHazelcastInstance(config),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  @Override
  public void close() {
    member.getLifecycleService().terminate();
  }
}
