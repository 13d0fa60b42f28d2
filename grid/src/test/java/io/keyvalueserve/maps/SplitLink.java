package io.keyvalueserve.maps;

import static org.awaitility.Awaitility.await;

import com.hazelcast.config.Config;
import com.hazelcast.config.SocketInterceptorConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.nio.MemberSocketInterceptor;
import com.hazelcast.spi.impl.NodeEngineImpl;
import io.keyvalueserve.grid.space.TestGrid;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Splits a cluster in two. The link is blocked where members connect: the connections over it are
 * closed and new ones refused, until it is healed.
 */
final class SplitLink {
  private final Set<Integer> isolatedPorts = ConcurrentHashMap.newKeySet();

  /** Has members be split, find that out soon, and meet again soon. */
  void configure(Config config) {
    config.setProperty("hazelcast.merge.first.run.delay.seconds", "1");
    config.setProperty("hazelcast.merge.next.run.delay.seconds", "1");
    config.setProperty(
        "hazelcast.tcp.join.previously.joined.member.address.retention.seconds", "0");
    config.setProperty("hazelcast.heartbeat.interval.seconds", "1");
    config.setProperty("hazelcast.max.no.heartbeat.seconds", "5");
    config.setProperty("hazelcast.connection.monitor.interval", "1");
    config.setProperty("hazelcast.connection.monitor.max.faults", "1");
    config
        .getNetworkConfig()
        .setSocketInterceptorConfig(
            new SocketInterceptorConfig()
                .setEnabled(true)
                .setImplementation(new Link(isolatedPorts)));
  }

  /** Cuts one member off from the others. */
  void cut(HdGrid grid, HazelcastInstance one) {
    lookFor(one, List.of());
    linkOf(one).isolated = true;
    isolatedPorts.add(port(one));
    for (int i = 0; i < grid.size(); i++) {
      HazelcastInstance member = grid.member(i);
      var connections =
          ((NodeEngineImpl) TestGrid.nodeEngine(member))
              .getNode()
              .getServer()
              .getConnectionManager(EndpointQualifier.MEMBER)
              .getConnections();
      for (ServerConnection connection : connections) {
        var remote = connection.getRemoteAddress();
        if (remote != null && isolatedPorts.contains(remote.getPort()) != member.equals(one)) {
          connection.close("the link is blocked", null);
        }
      }
    }
  }

  /** Waits until both sides have found out that one member is alone. */
  void awaitSplit(HdGrid grid, HazelcastInstance one) {
    for (int i = 0; i < grid.size(); i++) {
      HazelcastInstance member = grid.member(i);
      int size = member.equals(one) ? 1 : grid.size() - 1;
      await().until(() -> member.getCluster().getMembers().size() == size);
    }
  }

  /** Waits until all are one cluster again, and the last member has been merged into it. */
  void heal(HdGrid grid) {
    isolatedPorts.clear();
    for (int i = 0; i < grid.size(); i++) {
      linkOf(grid.member(i)).isolated = false;
    }
    lookFor(grid.member(grid.size() - 1), List.of("127.0.0.1:" + port(grid.member(0))));
    grid.awaitSafe();
  }

  /** Where a member looks for the other half; each address in vain costs it five seconds. */
  private static void lookFor(HazelcastInstance member, List<String> addresses) {
    member.getConfig().getNetworkConfig().getJoin().getTcpIpConfig().setMembers(addresses);
  }

  private static int port(HazelcastInstance member) {
    return member.getCluster().getLocalMember().getAddress().getPort();
  }

  private static Link linkOf(HazelcastInstance member) {
    return (Link)
        member.getConfig().getNetworkConfig().getSocketInterceptorConfig().getImplementation();
  }

  /** Lets a member connect to those of its own half only. */
  private static final class Link implements MemberSocketInterceptor {
    private final Set<Integer> isolatedPorts;
    private volatile boolean isolated;

    Link(Set<Integer> isolatedPorts) {
      this.isolatedPorts = isolatedPorts;
    }

    @Override
    public void init(Properties properties) {}

    @Override
    public void onAccept(Socket socket) {}

    @Override
    public void onConnect(Socket socket) throws IOException {
      if (isolated != isolatedPorts.contains(socket.getPort())) {
        throw new IOException("the link is blocked");
      }
    }
  }
}
