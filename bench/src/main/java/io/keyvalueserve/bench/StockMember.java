package io.keyvalueserve.bench;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.core.Hazelcast;

/**
 * A Hazelcast member as it comes, with maps on the Java heap: the peer. Arguments: its port, and
 * the port of a member to join, if there is one.
 */
final class StockMember {
  static final String CLUSTER = "stock";

  private StockMember() {}

  public static void main(String[] arguments) {
    Config config = new Config();
    config.setClusterName(CLUSTER);
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.getJetConfig().setEnabled(false);
    config.getMetricsConfig().setEnabled(false);
    config.getMapConfig("default").setInMemoryFormat(InMemoryFormat.BINARY);
    config
        .getNetworkConfig()
        .setPort(Integer.parseInt(arguments[0]))
        .setPortAutoIncrement(false)
        .getInterfaces()
        .setEnabled(true)
        .addInterface("127.0.0.1");
    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    String founder = arguments[arguments.length - 1]; // itself, if it has none to join
    config
        .getNetworkConfig()
        .getJoin()
        .getTcpIpConfig()
        .setEnabled(true)
        .addMember("127.0.0.1:" + founder);
    Hazelcast.newHazelcastInstance(config);
  }
}
