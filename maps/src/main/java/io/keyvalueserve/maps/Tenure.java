package io.keyvalueserve.maps;

import com.hazelcast.internal.cluster.ClusterService;
import com.hazelcast.spi.exception.TargetNotMemberException;
import com.hazelcast.spi.impl.operationservice.Operation;

/**
 * Since when this member is in the cluster, and what was therefore never meant for it.
 *
 * <p>Members send to addresses. What one sends while it has no connection waits for one, for up to
 * a second and a half, and then goes to whoever has the address by then. Where a member has died
 * and another has come at its address, that one would carry out what its sender has long sent to
 * somebody else and has had answered: a write of the past, after later ones that were acknowledged.
 * See ADR 33.
 *
 * <p>Times are the cluster's, in milliseconds: each member has them from the master's clock, so
 * that they differ by less than what a message takes. What is refused by a few milliseconds and was
 * meant for this member is sent again by Hazelcast and is then young enough. Thread-safe.
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
