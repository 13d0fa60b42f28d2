package io.keyvalueserve.grid.restart;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.partition.PartitionTableView;
import com.hazelcast.internal.partition.ReadonlyInternalPartition;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What members of tests say that they have. */
final class Claims {
  static final UUID CLUSTER = new UUID(7, 7);
  static final UUID A = new UUID(1, 1);
  static final UUID B = new UUID(2, 2);
  static final UUID C = new UUID(3, 3);

  private Claims() {}

  /** A row: its version, and who is in it. */
  record Row(int version, @Nullable UUID... replicas) {}

  static KeptTable table(Row... rows) {
    InternalPartition[] partitions = new InternalPartition[rows.length];
    for (int id = 0; id < rows.length; id++) {
      PartitionReplica[] replicas = new PartitionReplica[InternalPartition.MAX_REPLICA_COUNT];
      for (int i = 0; i < rows[id].replicas().length; i++) {
        UUID member = rows[id].replicas()[i];
        if (member != null) {
          replicas[i] = new PartitionReplica(address(member, 5800), member);
        }
      }
      partitions[id] = new ReadonlyInternalPartition(replicas, id, rows[id].version());
    }
    return KeptTable.of(new PartitionTableView(partitions));
  }

  static Address address(UUID member, int base) {
    try {
      return new Address("127.0.0.1", base + (int) member.getLeastSignificantBits());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  static RestartClaim claim(UUID member, @Nullable KeptTable table) {
    return new RestartClaim(
        new UUID(member.getMostSignificantBits(), 99),
        member,
        address(member, 6800),
        table == null ? null : CLUSTER,
        table,
        LogState.LOADED,
        false,
        Set.of(),
        Forgotten.NONE);
  }

  /** The same, of a member that knows that others never come back. */
  static RestartClaim forgetting(RestartClaim claim, UUID... members) {
    return new RestartClaim(
        claim.attempt(),
        claim.member(),
        claim.address(),
        claim.history(),
        claim.table(),
        claim.log(),
        claim.witness(),
        claim.together(),
        new Forgotten(2, 1, 1, Set.of(members)));
  }
}
