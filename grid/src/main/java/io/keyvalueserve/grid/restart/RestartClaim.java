package io.keyvalueserve.grid.restart;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The facts that a member that starts tells the cluster. The claim's own table names the member by
 * its id, never by an alias.
 *
 * @param attempt this start's own id: the same member may have tried before
 * @param member its id
 * @param address where it is now
 * @param history the id of the cluster that its data are of; null if it has none
 * @param table the last partition table that it knew; null if it has no data
 * @param log how far its log is read, and whether that is damaged
 * @param witness whether it holds no data, and only knows who does
 * @param together the members that have stopped serving for this start; empty if it is any other
 *     start. Once they are here, others need not be waited for
 * @param forgotten the members that never come back, as far as it knows
 * @param aliases the ids that the member had after merges, by which rows of other members can name
 *     it
 */
record RestartClaim(
    UUID attempt,
    UUID member,
    Address address,
    @Nullable UUID history,
    @Nullable KeptTable table,
    LogState log,
    boolean witness,
    Set<UUID> together,
    Forgotten forgotten,
    Set<UUID> aliases) {
  RestartClaim {
    together = Set.copyOf(together);
    aliases = Set.copyOf(aliases);
    table = table == null ? null : table.renamed(names(member, aliases));
  }

  /** Creates the claim of a member without aliases. */
  RestartClaim(
      UUID attempt,
      UUID member,
      Address address,
      @Nullable UUID history,
      @Nullable KeptTable table,
      LogState log,
      boolean witness,
      Set<UUID> together,
      Forgotten forgotten) {
    this(attempt, member, address, history, table, log, witness, together, forgotten, Set.of());
  }

  private static Map<UUID, UUID> names(UUID member, Set<UUID> aliases) {
    Map<UUID, UUID> names = new HashMap<>();
    aliases.forEach(alias -> names.put(alias, member));
    return names;
  }

  /** Returns the member's id by each of its aliases. */
  Map<UUID, UUID> names() {
    return names(member, aliases);
  }

  private RestartClaim with(
      @Nullable KeptTable nextTable, LogState nextLog, Set<UUID> nextTogether) {
    return new RestartClaim(
        attempt,
        member,
        address,
        history,
        nextTable,
        nextLog,
        witness,
        nextTogether,
        forgotten,
        aliases);
  }

  /** Returns the same claim with aliases. */
  RestartClaim alsoKnownAs(Set<UUID> others) {
    return new RestartClaim(
        attempt, member, address, history, table, log, witness, together, forgotten, others);
  }

  /** Returns the same claim with a table that names other members by their ids, too. */
  RestartClaim renamed(Map<UUID, UUID> ids) {
    return ids.isEmpty() || table == null ? this : with(table.renamed(ids), log, together);
  }

  /**
   * Returns the claim of the member when it has read its log. If the log is damaged, others may
   * have more of whatever the member has too.
   *
   * @param state what it found, not {@link LogState#UNREAD}
   */
  RestartClaim whenRead(LogState state) {
    KeptTable has =
        table == null || state != LogState.DAMAGED
            ? table
            : table.withoutWhatOthersHave(Set.of(member));
    return with(has, state, together);
  }

  /** Returns whether what the member has is in memory, the keys at least. */
  boolean isLoaded() {
    return log != LogState.UNREAD;
  }

  /** Returns whether the log may have damage that was not looked for. */
  boolean isUnchecked() {
    return log == LogState.LOADED && !witness;
  }

  RestartClaim togetherWith(Set<UUID> members) {
    return with(table, log, members);
  }

  /** Returns whether the member's own table names it for any partition. */
  boolean isNamed() {
    KeptTable kept = table;
    for (int id = 0; kept != null && id < kept.table().length(); id++) {
      if (isNamedFor(id, InternalPartition.MAX_REPLICA_COUNT - 1)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the member's own table names it for a partition, with all maps. */
  boolean isNamedFor(int partition, int backups) {
    KeptTable kept = table;
    if (kept == null || partition >= kept.table().length()) {
      return false;
    }
    for (int i = 0; i <= backups; i++) {
      PartitionReplica replica = kept.table().getReplica(partition, i);
      if (replica != null && replica.uuid().equals(member)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether the member's backup of a partition may have less than the partition's owner.
   */
  boolean isBehind(int partition) {
    return table != null && table.behind().contains(partition);
  }

  /**
   * Returns whether a row, whichever member kept it, names the members that have the partition, as
   * far as this member knows.
   */
  boolean trusts(int partition, InternalPartition row) {
    KeptTable kept = table;
    Integer since = kept == null ? null : kept.lostSince().get(partition);
    if (kept == null || since == null || row.version() < since) {
      return true;
    }
    PartitionReplica owner = row.getReplica(0);
    PartitionReplica known = kept.table().getReplica(partition, 0);
    // Its own loss it may have kept before the row that came with it, another's with that row.
    return owner == null
        || !(owner.uuid().equals(member) || (known != null && owner.uuid().equals(known.uuid())));
  }
}
