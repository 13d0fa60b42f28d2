package io.keyvalueserve.grid.quorum;

/** Tells how far a member is with taking another one off the cluster for good. */
public enum Forgetting {
  /** A majority of the voters knows that the member is forgotten. */
  DONE,
  /** It is proposed, or about to be. */
  UNDER_WAY,
  /** Another member leads the cluster: that one has to be asked. */
  NOT_LEADING,
  /** This member has no majority, so it can decide nothing. */
  NO_MAJORITY,
  /** No majority decides in this cluster, so the member may serve apart from the others. */
  NOT_CONSISTENT,
  /** The member is in the cluster, or was heard lately. */
  ALIVE
}
