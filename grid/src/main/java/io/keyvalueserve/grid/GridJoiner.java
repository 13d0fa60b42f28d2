package io.keyvalueserve.grid;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.cluster.impl.TcpIpJoiner;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Joins as Hazelcast does, and merges with other clusters only where that is wanted. A cluster that
 * serves with a majority alone has nothing to merge: a member that was outside joins anew.
 */
final class GridJoiner extends TcpIpJoiner {
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 500;

  private final BooleanSupplier merges;
  private Set<Member> known = Set.of();

  /**
   * @param merges asked each time before other clusters are looked for
   */
  GridJoiner(Node node, BooleanSupplier merges) {
    super(node);
    this.merges = merges;
  }

  /** Takes note of the members, as Hazelcast does by itself for its own class only. */
  synchronized void follow(Set<? extends Member> members) {
    for (Member member : known) {
      if (!members.contains(member)) {
        onMemberRemoved(member);
      }
    }
    for (Member member : members) {
      if (!known.contains(member)) {
        onMemberAdded(member);
      }
    }
    known = Set.copyOf(members);
  }

  /**
   * Joins, and meanwhile asks for the master, and to be let in, more often than Hazelcast. Its own
   * first question is lost, because there is no connection yet, and it waits a second before the
   * next one.
   */
  @Override
  public void doJoin() {
    if (getTargetAddress() != null) {
      super.doJoin();
      return;
    }
    Thread asking = Thread.ofPlatform().daemon().name("kvs-join").unstarted(this::askUntilJoined);
    asking.start();
    try {
      super.doJoin();
    } finally {
      asking.interrupt();
    }
  }

  private void askUntilJoined() {
    long pauseMillis = FIRST_PAUSE_MILLIS;
    try {
      Set<Address> addresses = Set.copyOf(getPossibleAddresses());
      while (shouldRetry()) {
        Thread.sleep(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        ask(addresses);
      }
    } catch (InterruptedException e) {
      // The member has joined, or has given up.
    } catch (RuntimeException e) {
      logger.fine("could not ask to be let in; it is asked once a second all the same", e);
    }
  }

  private void ask(Set<Address> addresses) {
    if (!shouldRetry()) {
      return;
    }
    Address master = clusterService.getMasterAddress();
    if (master != null) {
      boolean _ = clusterJoinManager.sendJoinRequest(master);
      return;
    }
    for (Address address : addresses) {
      if (!isBlacklisted(address)) {
        boolean _ = clusterJoinManager.sendMasterQuestion(address);
      }
    }
  }

  @Override
  public void searchForOtherClusters() {
    if (merges.getAsBoolean()) {
      super.searchForOtherClusters();
    }
  }
}
