package io.keyvalueserve.grid;

import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.internal.cluster.Joiner;
import com.hazelcast.internal.server.Server;
import com.hazelcast.internal.server.tcp.AcceptingServer;
import com.hazelcast.internal.server.tcp.LocalAddressRegistry;
import com.hazelcast.internal.server.tcp.ServerSocketRegistry;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.grid.member.MemberHandshake;
import io.keyvalueserve.grid.quorum.QuorumConfig;
import io.keyvalueserve.grid.restart.HotRestart;
import io.keyvalueserve.grid.turn.PartitionTurns;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.readable.Extensions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a Hazelcast node with our extension; the way in that Hazelcast offers to embedders. */
final class GridNodeContext extends DefaultNodeContext {
  private final TenantPolicy policy;
  private final MemberHandshake handshake;
  private final NativeMaps maps;
  private final Extensions extensions;
  private final boolean direct;
  private final @Nullable HotRestart restart;
  private final PartitionTurns turns;
  private final ClientLimits clientLimits;
  private final int mostClients;
  private final QuorumConfig quorum;
  private final List<String> join;
  private final HazelcastDoor.Factory doors;

  GridNodeContext(
      TenantPolicy policy,
      MemberHandshake handshake,
      NativeMaps maps,
      Extensions extensions,
      boolean direct,
      @Nullable HotRestart restart,
      PartitionTurns turns,
      ClientLimits clientLimits,
      int mostClients,
      QuorumConfig quorum,
      List<String> join,
      HazelcastDoor.Factory doors) {
    this.doors = doors;
    this.quorum = quorum;
    this.join = join;
    this.mostClients = mostClients;
    this.clientLimits = clientLimits;
    this.turns = turns;
    this.direct = direct;
    this.restart = restart;
    this.policy = policy;
    this.handshake = handshake;
    this.maps = maps;
    this.extensions = extensions;
  }

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new GridNodeExtension(
        node,
        policy,
        handshake,
        maps,
        extensions,
        direct,
        restart,
        turns,
        clientLimits,
        quorum,
        join,
        doors);
  }

  @Override
  public Joiner createJoiner(Node node) {
    return new GridJoiner(node, ((GridNodeExtension) node.getNodeExtension()).quorum()::merges);
  }

  @Override
  public Server createServer(
      Node node, ServerSocketRegistry sockets, LocalAddressRegistry addresses) {
    return AcceptingServer.of(
        sockets,
        others -> super.createServer(node, others, addresses),
        policy.peers(),
        mostClients);
  }
}
