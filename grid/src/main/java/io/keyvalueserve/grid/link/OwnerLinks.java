package io.keyvalueserve.grid.link;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The ways to the other members. Thread-safe, never blocks.
 *
 * @param <W> one or several {@link MemberLink}s
 */
public final class OwnerLinks<W> {
  private final NodeEngine nodeEngine;
  private final Function<Address, W> open;
  private final ConcurrentHashMap<Address, W> ways = new ConcurrentHashMap<>();

  /**
   * None yet.
   *
   * @param open makes those to one member
   */
  public OwnerLinks(NodeEngine nodeEngine, Function<Address, W> open) {
    this.nodeEngine = nodeEngine;
    this.open = open;
  }

  /**
   * The ways to a partition's owner; null if that is this member, or nobody.
   *
   * @param partition 0 or more and less than there are
   */
  public @Nullable W toOwnerOf(int partition) {
    IPartition state = nodeEngine.getPartitionService().getPartition(partition, false);
    if (state.isLocal()) {
      return null;
    }
    Address owner = state.getOwnerOrNull();
    if (owner == null) {
      return null;
    }
    W known = ways.get(owner);
    return known == null ? open(owner) : known;
  }

  private W open(Address member) {
    Set<Address> present =
        nodeEngine.getClusterService().getMembers().stream()
            .map(Member::getAddress)
            .collect(Collectors.toSet());
    ways.keySet().retainAll(present); // what still waits there fails by itself, and is sent alone
    return ways.computeIfAbsent(member, open);
  }
}
