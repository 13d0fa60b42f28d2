package io.keyvalueserve.grid.restart;

import com.hazelcast.internal.partition.PartitionReplica;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A cluster that runs, as a member sees it that comes back with what it had.
 *
 * <p>Whoever joins gives up what it had: the others have gone on without it. That is right only if
 * the members that run have a current copy of every partition. They have not when more members than
 * there are backups went down within a short time; then the only current copy of a partition may be
 * the one that comes back. A running member cannot take it in: what it has for the partition has
 * begun empty. So all begin again, together, each with what it has, as a cluster does that was down
 * as a whole.
 *
 * @param mine what the member that comes back has
 * @param started what the members have that run
 * @param starting what others have that come back, too
 * @param backups how many backups a map has at least
 */
record RunningCluster(
    RestartClaim mine, List<RestartClaim> started, List<RestartClaim> starting, int backups) {
  RunningCluster {
    started = List.copyOf(started);
    starting = List.copyOf(starting);
  }

  /** The ways in which the member may go on. */
  enum Way {
    /** The member gives up what it has, and takes its share from the others. */
    JOIN,
    /** All members begin again with what they have. */
    TOGETHER,
    /** The member keeps what it has until others with newer data are back. */
    WAIT
  }

  /**
   * Decides.
   *
   * @param policy when a cluster goes on without members
   */
  Way way(RestartPolicy policy) {
    Holdings all = together();
    Set<UUID> running = started.stream().map(RestartClaim::member).collect(Collectors.toSet());
    BitSet needed = all.withoutCopy(holder -> running.contains(holder.member()));
    if (policy == RestartPolicy.PARTIAL
        || needed.stream().noneMatch(id -> mine.isNamedFor(id, backups))) {
      return Way.JOIN;
    }
    boolean isComplete =
        all.withoutCopy(holder -> true).isEmpty()
            && (policy != RestartPolicy.FULL || all.missing().isEmpty());
    return isComplete ? Way.TOGETHER : Way.WAIT;
  }

  /** Returns the members that had newer data than all that are here, and are not here. */
  Set<PartitionReplica> missing() {
    return together().missing();
  }

  private Holdings together() {
    List<RestartClaim> all = new ArrayList<>(started);
    all.addAll(starting);
    all.add(mine);
    return new Holdings(all, backups);
  }
}
