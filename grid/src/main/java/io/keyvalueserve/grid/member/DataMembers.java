package io.keyvalueserve.grid.member;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.memberselector.MemberSelectors;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.List;

/**
 * The members that hold data. Witnesses are members of the cluster too, and often the oldest: they
 * run none of the services that members provide to each other.
 */
public final class DataMembers {
  private DataMembers() {}

  /** Returns the members that hold data, the oldest first. */
  public static List<Member> of(NodeEngine nodeEngine) {
    return List.copyOf(
        nodeEngine.getClusterService().getMembers(MemberSelectors.DATA_MEMBER_SELECTOR));
  }
}
