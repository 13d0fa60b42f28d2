package io.keyvalueserve.server;

import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Safety;
import io.keyvalueserve.grid.quorum.QuorumState;
import java.util.List;

/** The cluster, as a member sees it. */
public interface ClusterView {
  /**
   * Returns whether every entry has all the backups that it should: then the cluster loses nothing
   * if a member goes. And which partitions have no copy. Asks all members; blocks.
   */
  Safety safety();

  /** Returns whether this member may serve, and which voters decide that. */
  QuorumState quorum();

  /** Returns the members, the oldest first. */
  List<MemberInfo> members();
}
