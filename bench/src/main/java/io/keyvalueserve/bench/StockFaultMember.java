package io.keyvalueserve.bench;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import java.util.List;

/**
 * A Hazelcast member as it comes, which finds others by their addresses. Arguments: its own host,
 * the port of all, and the hosts of all.
 */
final class StockFaultMember {
  private StockFaultMember() {}

  public static void main(String[] arguments) {
    Config config = new Config().setClusterName(StockMember.CLUSTER);
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.getJetConfig().setEnabled(false);
    config
        .getNetworkConfig()
        .setPort(Integer.parseInt(arguments[1]))
        .setPortAutoIncrement(false)
        .getInterfaces()
        .setEnabled(true)
        .addInterface(arguments[0]);
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    List<String> hosts = List.of(arguments).subList(2, arguments.length);
    join.getTcpIpConfig().setEnabled(true).setMembers(hosts);
    Hazelcast.newHazelcastInstance(config);
  }
}
