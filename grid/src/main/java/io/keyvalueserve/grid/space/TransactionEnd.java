package io.keyvalueserve.grid.space;

/** The ways in which a transaction ends whose lock is forced off. */
public enum TransactionEnd {
  /** Nothing was changed, and its client is told so. */
  ABORTED,
  /** It was decided already, and all its changes are made. */
  COMMITTED
}
