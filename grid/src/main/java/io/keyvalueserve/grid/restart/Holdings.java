package io.keyvalueserve.grid.restart;

import com.hazelcast.cluster.Address;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.partition.PartitionTableView;
import com.hazelcast.internal.partition.ReadonlyInternalPartition;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what some members have: the newest row of each partition, and who of them has it.
 *
 * <p>A row's version grows with each change. Whoever changes a row is named in it, or tells those
 * that are. So of the rows that these know, the one with the highest version is the newest there
 * is. A member that this row does not name has older data. A row does not count if nobody that it
 * names has all of the partition ({@link RestartClaim#trusts}): it came about because those who had
 * it were down.
 *
 * <p>Immutable.
 */
final class Holdings {
  private final List<RestartClaim> holders;
  private final int backups;
  private final PartitionTableView newest;

  /**
   * @param holders what each member says; of one cluster
   * @param backups how many backups a map has at least
   */
  Holdings(Collection<RestartClaim> holders, int backups) {
    this.holders = List.copyOf(holders);
    this.backups = backups;
    newest = newestRows();
  }

  /** Each partition's newest row, of those that can be trusted if there are any. */
  private PartitionTableView newestRows() {
    List<KeptTable> tables =
        holders.stream().map(RestartClaim::table).filter(Objects::nonNull).toList();
    int count = tables.stream().mapToInt(kept -> kept.table().length()).max().orElse(0);
    InternalPartition[] rows = new InternalPartition[count];
    for (int id = 0; id < count; id++) {
      int partition = id;
      List<InternalPartition> known =
          tables.stream().flatMap(kept -> rowsOf(kept, partition)).toList();
      Comparator<InternalPartition> byVersion = Comparator.comparingInt(InternalPartition::version);
      rows[id] =
          known.stream()
              .filter(row -> namesHolder(row, partition))
              .max(byVersion)
              .orElseGet(() -> known.stream().max(byVersion).orElseThrow());
    }
    return new PartitionTableView(rows);
  }

  private static Stream<InternalPartition> rowsOf(KeptTable kept, int partition) {
    InternalPartition before = kept.beforeLoss().get(partition);
    Stream<InternalPartition> now =
        partition < kept.table().length()
            ? Stream.of(kept.table().getPartition(partition))
            : Stream.empty();
    return before == null ? now : Stream.concat(now, Stream.of(before));
  }

  /** Whether a row names somebody who has all maps of a partition. */
  private boolean namesHolder(InternalPartition row, int partition) {
    for (int i = 0; i <= backups; i++) {
      if (row.getReplica(i) != null) {
        return holders.stream().allMatch(holder -> holder.trusts(partition, row));
      }
    }
    return false;
  }

  /** Returns those that the newest rows name and that are none of these members. */
  Set<PartitionReplica> missing() {
    Set<UUID> here = holders.stream().map(RestartClaim::member).collect(Collectors.toSet());
    Set<PartitionReplica> missing = new HashSet<>();
    for (int id = 0; id < newest.length(); id++) {
      for (PartitionReplica replica : newest.getReplicas(id)) {
        if (replica != null && !here.contains(replica.uuid())) {
          missing.add(replica);
        }
      }
    }
    return missing;
  }

  /**
   * Returns the partitions that somebody had, and of which some of the members have no copy with
   * all maps.
   *
   * @param among which of the members count
   */
  BitSet withoutCopy(Predicate<RestartClaim> among) {
    BitSet without = new BitSet();
    for (int id = 0; id < newest.length(); id++) {
      PartitionReplica[] replicas = newest.getReplicas(id);
      int first = firstOf(replicas, current(id, among));
      boolean had = Arrays.stream(replicas).anyMatch(Objects::nonNull);
      boolean has = first >= 0 && first <= backups && namesHolder(newest.getPartition(id), id);
      without.set(id, had && !has);
    }
    return without;
  }

  /** Who does not know that what he has of a partition may be less than what its owner had. */
  private Set<UUID> current(int partition, Predicate<RestartClaim> among) {
    return holders.stream()
        .filter(among)
        .filter(holder -> !holder.isBehind(partition))
        .map(RestartClaim::member)
        .collect(Collectors.toSet());
  }

  /** The first of the replicas that is there, -1 if none is. */
  private static int firstOf(@Nullable PartitionReplica[] replicas, Set<UUID> present) {
    for (int i = 0; i < replicas.length; i++) {
      PartitionReplica replica = replicas[i];
      if (replica != null && present.contains(replica.uuid())) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Returns the partitions given to those of their replicas that are there, where they are now. If
   * the owner is not, the first that is becomes it, if possible one that is not behind; the others
   * keep their places, as a later backup does not have all that an earlier one has. The empty
   * places are for migrations to fill.
   */
  PartitionTableView assigned() {
    Map<UUID, Address> addresses =
        holders.stream().collect(Collectors.toMap(RestartClaim::member, RestartClaim::address));
    InternalPartition[] rows = new InternalPartition[newest.length()];
    for (int id = 0; id < rows.length; id++) {
      PartitionReplica[] before = newest.getReplicas(id);
      PartitionReplica[] now = new PartitionReplica[InternalPartition.MAX_REPLICA_COUNT];
      int current = firstOf(before, current(id, holder -> true));
      int owner = current >= 0 ? current : firstOf(before, addresses.keySet());
      for (int i = 0; i < before.length; i++) {
        Address address = before[i] == null ? null : addresses.get(before[i].uuid());
        if (address != null) {
          now[i == owner ? 0 : i] = new PartitionReplica(address, before[i].uuid());
        }
      }
      int version = newest.getPartition(id).version() + (Arrays.equals(before, now) ? 0 : 1);
      rows[id] = new ReadonlyInternalPartition(now, id, version);
    }
    return new PartitionTableView(rows);
  }
}
