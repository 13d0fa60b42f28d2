package io.keyvalueserve.grid;

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

  @Override
  public void searchForOtherClusters() {
    if (merges.getAsBoolean()) {
      super.searchForOtherClusters();
    }
  }
}
