package io.keyvalueserve.maps;

import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.internal.partition.MigrationEndpoint;
import com.hazelcast.internal.partition.PartitionMigrationEvent;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.partition.ReadonlyInternalPartition;
import com.hazelcast.internal.partition.impl.PartitionReplicaManager;
import com.hazelcast.internal.services.ServiceNamespace;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.MutatingOperation;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Partitions that got an owner who does not have all of their maps: more members went down than
 * there are backups, before others had been made. They are known to that owner, and to the master
 * that chose it where there was nobody left to choose.
 *
 * <p>Hazelcast goes on with what there is, or with nothing. Where members outlive their processes
 * that would be wrong: the data are on the disks of those who went down, and would be given up for
 * what is written meanwhile. So such a partition answers for maps with enough backups only, and
 * stays where it is, until those members are back. Thread-safe.
 */
public final class LostPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(LostPartitions.class);
  private static final int MOST_LINES = 3;

  private final NodeEngine nodeEngine;
  private final IntFunction<PartitionLock> locks;
  private final Map<Integer, Integer> since = new ConcurrentHashMap<>();

  /** The last rows of lost partitions that named who had all of them. */
  private final Map<Integer, InternalPartition> beforeLoss = new ConcurrentHashMap<>();

  private volatile boolean guarded;
  private volatile Runnable beforeNamed = () -> {};

  // Of each partition, as it was when it was last looked at; guarded by this.
  private @Nullable PartitionReplica[] owners = {};
  private @Nullable InternalPartition[] owned = {}; // as it was when it had an owner
  private boolean[] empty = {};
  private boolean[] coming = {};
  private boolean assigned;

  /** A member without the others owns many at once. */
  private final LogLimit promotions = LogLimit.aMinute(MOST_LINES);

  private final List<Integer> found = new ArrayList<>(); // and not kept yet; guarded by this

  LostPartitions(NodeEngine nodeEngine, IntFunction<PartitionLock> locks) {
    this.nodeEngine = nodeEngine;
    this.locks = locks;
  }

  /**
   * Has partitions followed from now on; before the member takes part in its cluster.
   *
   * @param guard whether those that are lost are to be refused. Those that get lost while the
   *     member goes down are remembered in any case.
   * @param areSomebodys whether the cluster has given its partitions to members already, also if
   *     this one has not been told yet
   * @param keep makes {@link #since} outlive the member; blocks until it does
   */
  public synchronized void follow(boolean guard, boolean areSomebodys, Runnable keep) {
    assigned = areSomebodys;
    int count = partitions().getPartitionCount();
    owners = new PartitionReplica[count];
    owned = new InternalPartition[count];
    empty = new boolean[count];
    coming = new boolean[count];
    for (int id = 0; id < count; id++) {
      InternalPartition row = partitions().getPartition(id, false);
      owners[id] = row.getReplica(0);
      noteOwned(row);
    }
    beforeNamed = keep;
    guarded = guard;
  }

  /**
   * The member goes down. What others did before it may be gone with them now, and it is not to
   * take their place: they have it on their disks.
   */
  public void stop() {
    guarded = true;
  }

  /**
   * Looks for partitions that were given to somebody as nobody was left who had them: Hazelcast
   * writes that into the partition table, and tells no service. To be called when the table has
   * changed, before anything is done that relies on it.
   */
  public synchronized void look() {
    for (int id = 0; id < owners.length; id++) {
      InternalPartition row = partitions().getPartition(id, false);
      PartitionReplica owner = row.getReplica(0);
      if (owner != null && row.isLocal() && !owner.equals(owners[id]) && isFromNothing(row)) {
        PartitionReplica former = owners[id];
        locks.apply(id).fence(former == null ? null : former.uuid());
      }
      if (owner != null && !owner.equals(owners[id]) && guarded && isFromNothing(row)) {
        setLost(id, row.version());
        found.add(id);
        if (row.isLocal()) {
          locks.apply(id).lose(InternalPartition.MAX_REPLICA_COUNT);
        }
      }
      owners[id] = owner;
      noteOwned(row);
      empty[id] = owner == null && row.version() > 0 && replicas(row) == 0;
    }
  }

  /** Takes note of who has a partition, while it is not lost. */
  private synchronized void noteOwned(InternalPartition row) {
    int id = row.getPartitionId();
    InternalPartition known = owned[id];
    boolean isNew = known == null || known.version() != row.version();
    if (isNew && row.getReplica(0) != null && !since.containsKey(id)) {
      owned[id] = copyOf(row);
    }
  }

  private synchronized void setLost(int partition, int version) {
    InternalPartition before = partition < owned.length ? owned[partition] : null;
    if (before != null && before.version() < version) {
      InternalPartition _ = beforeLoss.putIfAbsent(partition, before);
    }
    Integer _ = since.put(partition, version);
  }

  private static InternalPartition copyOf(InternalPartition row) {
    PartitionReplica[] replicas = new PartitionReplica[InternalPartition.MAX_REPLICA_COUNT];
    for (int i = 0; i < replicas.length; i++) {
      replicas[i] = row.getReplica(i);
    }
    return new ReadonlyInternalPartition(replicas, row.getPartitionId(), row.version());
  }

  /** Returns whether a partition whose owner has changed came from no earlier owner. */
  private boolean isFromNothing(InternalPartition row) {
    int id = row.getPartitionId();
    return row.isLocal()
        ? !coming[id] && (assigned || row.version() > replicas(row)) // or it was never anybody's
        : empty[id];
  }

  private static int replicas(InternalPartition row) {
    int count = 0;
    for (int i = 0; i < InternalPartition.MAX_REPLICA_COUNT; i++) {
      count += row.getReplica(i) == null ? 0 : 1;
    }
    return count;
  }

  /**
   * Returns when what {@link #look} has found outlives the member: before others learn of the new
   * owner. May block.
   */
  public void keepFound() {
    List<Integer> lost;
    synchronized (this) {
      lost = List.copyOf(found);
      found.clear();
    }
    if (!lost.isEmpty()) {
      beforeNamed.run();
      LOG.error(
          "{} partitions are lost until the members that had them are back: nobody had a copy: {}",
          lost.size(),
          lost);
    }
  }

  /**
   * Takes the backups of some partitions, as they come from the disk, for less than what their
   * owners have, until the owners have found them current.
   *
   * @param whenCurrent told of each that is no longer in {@link #behind}; does not block
   */
  public void distrust(BitSet backups, Runnable whenCurrent) {
    backups.stream()
        .forEach(
            id -> {
              PartitionLock lock = locks.apply(id);
              lock.enter();
              try {
                lock.setBehind(whenCurrent);
              } finally {
                lock.exit();
              }
            });
  }

  /**
   * Has somebody told when a backup gets behind, as the log has refused what its owner sent, and
   * when it no longer is.
   *
   * @param then does not block
   */
  public void whenBehindChanges(Runnable then) {
    int count = partitions().getPartitionCount();
    for (int id = 0; id < count; id++) {
      locks.apply(id).whenBehindChanges(then);
    }
  }

  /** The partitions whose backups here may have less than their owners. */
  public Set<Integer> behind() {
    int count = partitions().getPartitionCount();
    return IntStream.range(0, count)
        .filter(id -> locks.apply(id).isBehind())
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Called when a partition, or a copy of it, is here as a whole, by the partition's thread. */
  public void received(int partition) {
    setComing(partition, false);
    locks.apply(partition).markCurrent();
  }

  /** Called when a partition, or a copy of it, has not come here after all. */
  public void notReceived(int partition) {
    setComing(partition, false);
  }

  private synchronized void setComing(int partition, boolean is) {
    if (coming.length > 0) {
      coming[partition] = is;
    }
  }

  /** The lost partitions, each with the version from which on its row names nobody who has it. */
  public Map<Integer, Integer> since() {
    return Map.copyOf(since);
  }

  /** The last rows of lost partitions that named who had all of them, as far as they are known. */
  public Map<Integer, InternalPartition> beforeLoss() {
    return Map.copyOf(beforeLoss);
  }

  /**
   * Gives up what only members had that never come back: their lost partitions go on with what
   * there is here.
   *
   * @param gone those members
   * @param backups how many backups a map has at least
   * @return the partitions
   */
  public synchronized List<Integer> giveUp(Set<UUID> gone, int backups) {
    List<Integer> given = new ArrayList<>();
    for (Integer id : List.copyOf(since.keySet())) {
      InternalPartition before = beforeLoss.get(id);
      if (before == null || !isOnlyOf(before, gone, backups)) {
        continue;
      }
      given.add(id);
      Integer _ = since.remove(id);
      InternalPartition _ = beforeLoss.remove(id);
      locks.apply(id).lose(0);
      noteOwned(partitions().getPartition(id, false));
    }
    if (!given.isEmpty()) {
      LOG.warn("{} partitions go on without what forgotten members had: {}", given.size(), given);
    }
    return given;
  }

  private static boolean isOnlyOf(InternalPartition row, Set<UUID> members, int backups) {
    return IntStream.rangeClosed(0, backups)
        .mapToObj(row::getReplica)
        .filter(Objects::nonNull)
        .allMatch(replica -> members.contains(replica.uuid()));
  }

  /** Returns whether this member owns any of the lost partitions. */
  public boolean holdsAny() {
    return !held().isEmpty();
  }

  /** Returns the lost partitions that this member owns, sorted. */
  public List<Integer> held() {
    return since.keySet().stream()
        .filter(id -> partitions().getPartition(id, false).isLocal())
        .sorted()
        .toList();
  }

  /**
   * Called before a partition or a copy of it begins to move, by the partition's thread.
   *
   * @throws PartitionLostException if it must stay
   */
  public void beforeMigration(PartitionMigrationEvent event) {
    int partition = event.getPartitionId();
    if (event.getMigrationEndpoint() == MigrationEndpoint.SOURCE) {
      if (since.containsKey(partition)) {
        throw new PartitionLostException(partition);
      }
      return;
    }
    setComing(partition, true);
    if (locks.apply(partition).isPromoting()) {
      PartitionReplica former = partitions().getPartition(partition, false).getReplica(0);
      boolean isOther = former != null && !former.isIdentical(nodeEngine.getLocalMember());
      locks.apply(partition).fence(isOther ? former.uuid() : null);
    }
    if (guarded && locks.apply(partition).isPromoting()) {
      promoted(partition, event.getCurrentReplicaIndex());
    }
  }

  private void promoted(int partition, int replica) {
    int lost = isComplete(partition, replica) ? replica : InternalPartition.MAX_REPLICA_COUNT;
    if (replica == 1 && lost == replica) {
      return; // the first backup has everything that has a backup
    }
    locks.apply(partition).lose(lost);
    setLost(partition, partitions().getPartition(partition, false).version());
    // Others may learn that this member owns it only when a restart cannot take it for complete.
    beforeNamed.run();
    long before = promotions.take();
    if (before >= 0) {
      LOG.error(
          "partition {} is lost until the members that had it are back: {} of its copies went down;"
              + " lines left out before: {}",
          partition,
          replica,
          before);
    }
  }

  /** Returns whether a backup, as far as it is known, has missed no change. */
  private boolean isComplete(int partition, int replica) {
    if (locks.apply(partition).isBehind()) {
      return false;
    }
    PartitionReplicaManager versions =
        (PartitionReplicaManager) partitions().getPartitionReplicaVersionManager();
    for (ServiceNamespace namespace : versions.getNamespaces(partition)) {
      long[] known = versions.getPartitionReplicaVersions(partition, namespace);
      if (known[replica - 1] == PartitionReplicaManager.REQUIRES_SYNC
          || versions.isPartitionReplicaVersionDirty(partition, namespace)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Refuses an operation on a map of which no copy is left. Refuses writes to all maps: what is
   * written is given up when those who had the partition are back.
   */
  static void requireCopy(MapOperation operation, int lost) {
    MapContainer container = Objects.requireNonNull(operation.getMapContainer());
    boolean has = container.getBackupCount() >= lost && !(operation instanceof MutatingOperation);
    if (!has && ((NativeMapContainer) container).isLogged()) {
      throw new PartitionLostException(operation.getPartitionId());
    }
  }

  private InternalPartitionService partitions() {
    return (InternalPartitionService) nodeEngine.getPartitionService();
  }
}
