package io.keyvalueserve.maps;

import com.hazelcast.internal.cluster.ClusterService;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.spi.impl.operationservice.Operation;

/**
 * Knows since when this member is in the cluster, and refuses operations that were never meant for
 * it.
 *
 * <p>Members send to addresses. A message that is sent while there is no connection waits for one,
 * for up to a second and a half. It then goes to the member that has the address by then. Where a
 * member has died and another has come at its address, the new one would carry out an old message.
 * Its sender has long sent the operation to another member, and had it answered. A write of the
 * past would then come after later ones that were acknowledged. See ADR 33.
 *
 * <p>Times are the cluster's, in milliseconds: each member has them from the master's clock, so
 * that they differ by less than what a message takes. An operation that is refused by a few
 * milliseconds although it was meant for this member is sent again by Hazelcast, and is then young
 * enough. Thread-safe.
 */
public final class Tenure {
  private static final long NEVER_SENT = 0;

  private volatile long since = Long.MIN_VALUE;

  Tenure() {}

  /**
   * The list of members is being changed. To be called from {@code NodeExtension}, which is told so
   * before a member that joins has joined; nobody but the master knows of it then.
   */
  public void onMemberListChange(ClusterService cluster) {
    if (!cluster.isJoined()) {
      since = cluster.getClusterClock().getClusterTime();
    }
  }

  /**
   * Asked before something is carried out that another member may have sent.
   *
   * @throws TargetNotMemberException if it was sent before this member was one; it has not been
   *     carried out then, and who still wants it sends it again
   */
  public void admit(Operation operation) {
    long sent = operation.getInvocationTime();
    if (sent < since && sent > NEVER_SENT && !operation.executedLocally()) {
      throw new TargetNotMemberException(
          operation.getNodeEngine().getThisAddress(),
          operation.getPartitionId(),
          operation.getClass().getName(),
          operation.getServiceName());
    }
  }
}
