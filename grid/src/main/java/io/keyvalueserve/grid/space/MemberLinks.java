package io.keyvalueserve.grid.space;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.internal.partition.IPartitionService;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The ways to the other members. Thread-safe, never blocks. */
final class MemberLinks {
  /**
   * How many messages with writes may be under way to a member. Each is answered when the slowest
   * of its backups is: with few, writes would wait for the backups of others. So it is the turns of
   * the event loops that gather writes, and this is but a bound.
   */
  private static final int WRITE_MESSAGES = 64;

  /**
   * How many batches with writes are worth a message. Writes to one partition's entries are done by
   * its thread when they come alone, and by two threads, one after the other, when they come in a
   * message; what that costs, few do not get back.
   */
  private static final int FEWEST_WRITES = 4;

  private final NodeEngine nodeEngine;
  private final IPartitionService partitions;
  private final int channels;
  private final ConcurrentHashMap<Address, Ways> ways = new ConcurrentHashMap<>();

  /** Writes may have to wait for backups, and reads must not wait for writes. */
  private record Ways(MemberLink reads, MemberLink writes) {}

  /**
   * @param channels how many messages with reads alone may be under way to each member
   */
  MemberLinks(NodeEngine nodeEngine, int channels) {
    this.nodeEngine = nodeEngine;
    this.partitions = nodeEngine.getPartitionService();
    this.channels = channels;
  }

  /**
   * The way to a partition's owner; null if that is this member, or nobody.
   *
   * @param writes whether writes are to go there, or reads alone
   */
  @Nullable MemberLink toOwnerOf(int partition, boolean writes) {
    IPartition state = partitions.getPartition(partition, false);
    if (state.isLocal()) {
      return null;
    }
    Address owner = state.getOwnerOrNull();
    if (owner == null) {
      return null;
    }
    Ways known = ways.get(owner);
    Ways open = known == null ? open(owner) : known;
    return writes ? open.writes() : open.reads();
  }

  private Ways open(Address member) {
    Set<Address> present =
        nodeEngine.getClusterService().getMembers().stream()
            .map(Member::getAddress)
            .collect(Collectors.toSet());
    ways.keySet().retainAll(present); // what still waits there fails by itself, and is sent alone
    return ways.computeIfAbsent(
        member,
        address ->
            new Ways(
                new MemberLink(nodeEngine, address, channels, 1),
                new MemberLink(nodeEngine, address, WRITE_MESSAGES, FEWEST_WRITES)));
  }
}
