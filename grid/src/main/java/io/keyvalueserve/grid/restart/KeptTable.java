package io.keyvalueserve.grid.restart;

import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.partition.PartitionTableView;
import com.hazelcast.internal.partition.ReadonlyInternalPartition;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A partition table as a member keeps it.
 *
 * @param lostSince partitions whose owner does not have all of them, each with the version of its
 *     row from which on that is so
 * @param beforeLoss the last rows of lost partitions that named who had all of them, as far as they
 *     are known
 * @param behind partitions of which the member may have less than somebody else: a backup that may
 *     have less than the owner, or, after the member's disk has failed, either
 */
record KeptTable(
    PartitionTableView table,
    Map<Integer, Integer> lostSince,
    Map<Integer, InternalPartition> beforeLoss,
    Set<Integer> behind) {
  /** The id of no member. */
  private static final UUID NOBODY = new UUID(0, 0);

  KeptTable {
    lostSince = Map.copyOf(lostSince);
    beforeLoss = Map.copyOf(beforeLoss);
    behind = Set.copyOf(behind);
  }

  /** A table in which everybody has what it says. */
  static KeptTable of(PartitionTableView table) {
    return new KeptTable(table, Map.of(), Map.of(), Set.of());
  }

  /**
   * Returns the same with earlier rows of the partitions that are lost, or that nobody has: those
   * name the members that had them.
   *
   * @param earlier null if nothing was kept before
   */
  KeptTable withRowsBeforeLoss(@Nullable KeptTable earlier) {
    if (earlier == null) {
      return this;
    }
    InternalPartition[] rows = new InternalPartition[table.length()];
    for (int id = 0; id < rows.length; id++) {
      boolean isLost = lostSince.containsKey(id) || isNobodys(id);
      rows[id] = (isLost && id < earlier.table.length() ? earlier : this).table.getPartition(id);
    }
    return new KeptTable(new PartitionTableView(rows), lostSince, beforeLoss, behind);
  }

  private boolean isNobodys(int partition) {
    return Arrays.stream(table.getReplicas(partition)).allMatch(Objects::isNull);
  }

  /**
   * The same, but the member may have less of whatever somebody else has too. What nobody else has
   * is there as the member has it, or nowhere.
   *
   * @param member the member's id and its aliases
   */
  KeptTable withoutWhatOthersHave(Set<UUID> member) {
    Set<Integer> less = new HashSet<>(behind);
    for (int id = 0; id < table.length(); id++) {
      for (PartitionReplica replica : table.getReplicas(id)) {
        if (replica != null && !member.contains(replica.uuid())) {
          boolean _ = less.add(id);
        }
      }
    }
    return new KeptTable(table, lostSince, beforeLoss, less);
  }

  /**
   * Returns the same with other ids of members.
   *
   * @param ids the new id of each id that is replaced
   */
  KeptTable renamed(Map<UUID, UUID> ids) {
    if (ids.isEmpty()) {
      return this;
    }
    InternalPartition[] rows = new InternalPartition[table.length()];
    for (int id = 0; id < rows.length; id++) {
      rows[id] = renamed(table.getPartition(id), ids, table.getPartition(id).version());
    }
    Map<Integer, InternalPartition> before = new HashMap<>();
    beforeLoss.forEach((id, row) -> before.put(id, renamed(row, ids, row.version())));
    return new KeptTable(new PartitionTableView(rows), lostSince, before, behind);
  }

  /**
   * Returns the table of a member that gives up what it has. Every row has version 0, so that it
   * counts less than any row of another member. No row names the member itself. The rows still say
   * which other members had data.
   *
   * @param member the member's id and its aliases
   */
  KeptTable givenUp(Set<UUID> member) {
    Map<UUID, UUID> ids = new HashMap<>();
    member.forEach(each -> ids.put(each, NOBODY));
    InternalPartition[] rows = new InternalPartition[table.length()];
    for (int id = 0; id < rows.length; id++) {
      rows[id] = renamed(table.getPartition(id), ids, 0);
    }
    return of(new PartitionTableView(rows));
  }

  private static InternalPartition renamed(
      InternalPartition row, Map<UUID, UUID> ids, int version) {
    PartitionReplica[] replicas = new PartitionReplica[InternalPartition.MAX_REPLICA_COUNT];
    for (int i = 0; i < replicas.length; i++) {
      PartitionReplica replica = row.getReplica(i);
      if (replica != null) {
        UUID id = ids.getOrDefault(replica.uuid(), replica.uuid());
        replicas[i] = new PartitionReplica(replica.address(), id);
      }
    }
    return new ReadonlyInternalPartition(replicas, row.getPartitionId(), version);
  }
}
