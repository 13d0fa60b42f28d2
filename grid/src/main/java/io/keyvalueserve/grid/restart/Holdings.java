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
import java.util.HashMap;
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
 * it were down. Nor does a row that names forgotten members only: what they had is given up, and
 * older data are better than none.
 *
 * <p>A row can name a member by an id that it had after a merge. Such an id counts as the member's
 * own if the member is here.
 *
 * <p>Immutable.
 */
final class Holdings {
  private static final Comparator<InternalPartition> BY_VERSION =
      Comparator.comparingInt(InternalPartition::version);

  private final List<RestartClaim> holders;
  private final int backups;
  private final Set<UUID> forgotten;

  /** Partitions of which nobody had anything but members that are forgotten. */
  private final BitSet givenUp = new BitSet();

  private final PartitionTableView newest;

  /**
   * @param holders what each member says; of one cluster
   * @param backups how many backups a map has at least
   */
  Holdings(Collection<RestartClaim> holders, int backups) {
    Map<UUID, UUID> names = new HashMap<>();
    holders.forEach(holder -> names.putAll(holder.names()));
    this.holders = holders.stream().map(holder -> holder.renamed(names)).toList();
    this.backups = backups;
    Set<UUID> never = new HashSet<>();
    holders.stream()
        .map(RestartClaim::forgotten)
        .max(Comparator.naturalOrder())
        .ifPresent(newestSet -> never.addAll(newestSet.members()));
    holders.forEach(holder -> never.remove(holder.member())); // it is here, under its id
    forgotten = Set.copyOf(never);
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
      List<InternalPartition> all =
          tables.stream().flatMap(kept -> rowsOf(kept, partition)).toList();
      List<InternalPartition> known = all.stream().filter(row -> !namesForgottenOnly(row)).toList();
      rows[id] =
          known.stream()
              .filter(row -> namesHolder(row, partition))
              .max(BY_VERSION)
              .orElseGet(() -> rest(known.isEmpty() ? all : known));
      givenUp.set(id, known.size() < all.size() && !namesHolder(rows[id], id));
    }
    return new PartitionTableView(rows);
  }

  private static InternalPartition rest(List<InternalPartition> known) {
    return known.stream().max(BY_VERSION).orElseThrow();
  }

  /** Returns whether every member that has all maps by a row is one that never comes back. */
  private boolean namesForgottenOnly(InternalPartition row) {
    boolean namesAny = false;
    for (int i = 0; i <= backups; i++) {
      PartitionReplica replica = row.getReplica(i);
      if (replica != null && !forgotten.contains(replica.uuid())) {
        return false;
      }
      namesAny |= replica != null;
    }
    return namesAny;
  }

  private static Stream<InternalPartition> rowsOf(KeptTable kept, int partition) {
    InternalPartition before = kept.beforeLoss().get(partition);
    Stream<InternalPartition> now =
        partition < kept.table().length()
            ? Stream.of(kept.table().getPartition(partition))
            : Stream.empty();
    return before == null ? now : Stream.concat(now, Stream.of(before));
  }

  /**
   * Returns whether a row names a member that has all maps of a partition and may come back, and no
   * member's claim contradicts the row.
   */
  private boolean namesHolder(InternalPartition row, int partition) {
    for (int i = 0; i <= backups; i++) {
      PartitionReplica replica = row.getReplica(i);
      if (replica != null && !forgotten.contains(replica.uuid())) {
        return holders.stream().allMatch(holder -> holder.trusts(partition, row));
      }
    }
    return false;
  }

  /** Returns those that the newest rows name, that may come back and are none of these members. */
  Set<PartitionReplica> missing() {
    Set<UUID> here = holders.stream().map(RestartClaim::member).collect(Collectors.toSet());
    Set<PartitionReplica> missing = new HashSet<>();
    for (int id = 0; id < newest.length(); id++) {
      for (PartitionReplica replica : newest.getReplicas(id)) {
        if (replica != null
            && !here.contains(replica.uuid())
            && !forgotten.contains(replica.uuid())) {
          missing.add(replica);
        }
      }
    }
    return missing;
  }

  /**
   * Returns the partitions that somebody had, and of which some of the members have no copy with
   * all maps that is whole, nor all copies. Those that only forgotten members had are not among
   * them.
   *
   * @param among which of the members count
   */
  BitSet withoutCopy(Predicate<RestartClaim> among) {
    BitSet without = new BitSet();
    for (int id = 0; id < newest.length(); id++) {
      PartitionReplica[] replicas = newest.getReplicas(id);
      int first = firstOf(replicas, current(id, among));
      boolean had = Arrays.stream(replicas).anyMatch(Objects::nonNull);
      boolean isCurrent = first >= 0 && first <= backups;
      boolean has =
          (isCurrent || areAll(replicas, among)) && namesHolder(newest.getPartition(id), id);
      without.set(id, had && !has && !givenUp.get(id));
    }
    return without;
  }

  /**
   * Returns whether {@code among} has every member that has all maps by a row. Each of them may
   * have less than another, but no other member has more than they have together.
   */
  private boolean areAll(@Nullable PartitionReplica[] replicas, Predicate<RestartClaim> among) {
    Set<UUID> present =
        holders.stream().filter(among).map(RestartClaim::member).collect(Collectors.toSet());
    List<UUID> needed =
        Arrays.stream(replicas)
            .limit(backups + 1L)
            .filter(Objects::nonNull)
            .map(PartitionReplica::uuid)
            .filter(member -> !forgotten.contains(member))
            .toList();
    return !needed.isEmpty() && present.containsAll(needed);
  }

  /**
   * Returns the members whose backup of a partition is not known to have less than the owner had.
   */
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
   * the owner is not, the first that is becomes it, if possible one that is not behind, but no
   * backup that does not have all maps if there is any that has; the others keep their places, as a
   * later backup does not have all that an earlier one has. The empty places are for migrations to
   * fill. A partition that only forgotten members had begins at one of those that are here, with
   * nothing.
   */
  PartitionTableView assigned() {
    Map<UUID, Address> addresses =
        holders.stream().collect(Collectors.toMap(RestartClaim::member, RestartClaim::address));
    InternalPartition[] rows = new InternalPartition[newest.length()];
    for (int id = 0; id < rows.length; id++) {
      PartitionReplica[] before = newest.getReplicas(id);
      PartitionReplica[] now = new PartitionReplica[InternalPartition.MAX_REPLICA_COUNT];
      int owner = owner(before, current(id, holder -> true), addresses.keySet());
      for (int i = 0; i < before.length; i++) {
        Address address = before[i] == null ? null : addresses.get(before[i].uuid());
        if (address != null) {
          now[i == owner ? 0 : i] = new PartitionReplica(address, before[i].uuid());
        }
      }
      if (givenUp.get(id) && Arrays.stream(now).allMatch(Objects::isNull)) {
        PartitionReplica beginner = beginner(id);
        if (beginner != null) {
          now[0] = beginner;
        }
      }
      int version = newest.getPartition(id).version() + (Arrays.equals(before, now) ? 0 : 1);
      rows[id] = new ReadonlyInternalPartition(now, id, version);
    }
    return new PartitionTableView(rows);
  }

  private int owner(@Nullable PartitionReplica[] replicas, Set<UUID> current, Set<UUID> present) {
    int best = firstOf(replicas, current);
    int first = firstOf(replicas, present);
    return best >= 0 && (best <= backups || first > backups) ? best : first;
  }

  /** The member at which a partition begins that nobody has; null if none holds data. */
  private @Nullable PartitionReplica beginner(int partition) {
    List<RestartClaim> data = holders.stream().filter(holder -> !holder.witness()).toList();
    if (data.isEmpty()) {
      return null;
    }
    RestartClaim holder = data.get(partition % data.size());
    return new PartitionReplica(holder.address(), holder.member());
  }
}
