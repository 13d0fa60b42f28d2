package io.keyvalueserve.grid.space;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.MapName;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;

/** A cluster of members in this JVM, on loopback, with the map service and operations of ours. */
final class TestGrid implements AutoCloseable {
  /** Kept, or the level would be forgotten with the logger. */
  private static final Logger HAZELCAST_LOG = Logger.getLogger("com.hazelcast");

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MOST_MEMBERS = 6;

  private final String cluster = "test-" + UUID.randomUUID();
  private final int firstPort = freePort();
  private final int partitions;
  private final List<HazelcastInstance> members = new ArrayList<>();

  TestGrid(int members, int partitions) {
    HAZELCAST_LOG.setLevel(Level.WARNING);
    Awaitility.setDefaultTimeout(PATIENCE);
    this.partitions = partitions;
    for (int i = 0; i < members; i++) {
      HazelcastInstance _ = join();
    }
  }

  /** Starts one more member. */
  HazelcastInstance join() {
    HazelcastInstance member =
        HazelcastInstanceFactory.newHazelcastInstance(
            config(), cluster + "-" + UUID.randomUUID(), new Context());
    members.add(member);
    return member;
  }

  /** A running member. */
  HazelcastInstance member(int index) {
    return members.get(index);
  }

  /** Kills a member without a farewell. */
  void terminate(int index) {
    members.remove(index).getLifecycleService().terminate();
  }

  /** Has a member leave in good order. */
  void shutDown(int index) {
    members.remove(index).shutdown();
  }

  /** The engine of a member. */
  HazelcastEngine engine(int member) {
    return new HazelcastEngine(nodeEngine(members.get(member)));
  }

  /** A tenant's map as a member sees it. */
  KeyMap map(int member, String tenant, String map) {
    return engine(member)
        .space(new Identity(new TenantName(tenant), 1, "key"))
        .map(new MapName(map));
  }

  static NodeEngine nodeEngine(HazelcastInstance member) {
    return ((HazelcastInstanceProxy) member).getOriginal().node.getNodeEngine();
  }

  private Config config() {
    Config config = new Config();
    config.setClusterName(cluster);
    config.getJetConfig().setEnabled(false);
    config.getMetricsConfig().setEnabled(false);
    config.setProperty("hazelcast.logging.type", "jdk");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.partition.count", Integer.toString(partitions));
    config.setProperty("hazelcast.operation.call.timeout.millis", "20000");
    config.addMapConfig(new MapConfig("*/brief").setTimeToLiveSeconds(1).setMaxIdleSeconds(1));
    config.addMapConfig(new MapConfig("default").setBackupCount(1));
    config.getNetworkConfig().setPort(firstPort).setPortCount(MOST_MEMBERS);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    for (int i = 0; i < MOST_MEMBERS; i++) {
      join.getTcpIpConfig().addMember("127.0.0.1:" + (firstPort + i));
    }
    SpaceSerialization.register(config);
    return config;
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return Math.min(socket.getLocalPort(), 65_535 - MOST_MEMBERS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    members.forEach(member -> member.getLifecycleService().terminate());
    members.clear();
  }

  private static final class Context extends DefaultNodeContext {
    @Override
    public NodeExtension createNodeExtension(Node node) {
      return new Extension(node);
    }
  }

  private static final class Extension extends DefaultNodeExtension {
    Extension(Node node) {
      super(node);
    }

    @Override
    public <T> T createService(Class<T> type, Object... params) {
      return type == MapService.class
          ? type.cast(KvsMapService.create(node.getNodeEngine()))
          : super.createService(type, params);
    }
  }
}
