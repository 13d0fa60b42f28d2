package io.keyvalueserve.bench;

import com.hazelcast.config.Config;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.core.Hazelcast;
import java.util.List;

/**
 * A Hazelcast member as it comes, with maps on the Java heap: the peer. Arguments: its port, and
 * the port of a member to join, if there is one; or its host, the port of all, and their hosts.
 */
final class StockMember {
  static final String CLUSTER = "stock";

  /** The property that names the policy by which maps evict; without it they do not. */
  static final String EVICTION = "kvs.bench.eviction";

  /** The property that says how many mebibytes of heap a map may have then. */
  static final String MEBIBYTES = "kvs.bench.mebibytes";

  /** The property that says true for a member that answers SQL; it needs hazelcast-sql. */
  static final String SQL = "kvs.bench.sql";

  private StockMember() {}

  public static void main(String[] arguments) {
    boolean hosts = arguments.length > 2;
    Config config = new Config();
    config.setClusterName(CLUSTER);
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.getJetConfig().setEnabled(Boolean.getBoolean(SQL));
    config.getMetricsConfig().setEnabled(hosts);
    config.getMapConfig("default").setInMemoryFormat(InMemoryFormat.BINARY);
    evict(config.getMapConfig("default"));
    config
        .getNetworkConfig()
        .setPort(Integer.parseInt(arguments[hosts ? 1 : 0]))
        .setPortAutoIncrement(false)
        .getInterfaces()
        .setEnabled(true)
        .addInterface(hosts ? arguments[0] : "127.0.0.1");
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    String founder = arguments[arguments.length - 1]; // itself, if it has none to join
    join.getTcpIpConfig()
        .setEnabled(true)
        .setMembers(
            hosts
                ? List.of(arguments).subList(2, arguments.length)
                : List.of("127.0.0.1:" + founder));
    Hazelcast.newHazelcastInstance(config);
  }

  /** As {@link #EVICTION} says, if it does: a policy, and how many mebibytes a map may have. */
  private static void evict(MapConfig map) {
    String policy = System.getProperty(EVICTION, "");
    if (!policy.isEmpty()) {
      map.getEvictionConfig()
          .setEvictionPolicy(EvictionPolicy.valueOf(policy))
          .setMaxSizePolicy(MaxSizePolicy.USED_HEAP_SIZE)
          .setSize(Integer.getInteger(MEBIBYTES, 1));
    }
  }
}
