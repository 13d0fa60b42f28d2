package io.keyvalueserve.grid;

/**
 * Bounds what Hazelcast clients may make a member keep for them.
 *
 * @param waiting how much the clients of one tenant may have waiting
 * @param unread how many bytes of answers and events may wait to be read
 * @param transactions how many transactions the clients of one tenant may have open, 1 or more
 */
public record ClientLimits(WaitingLimit waiting, UnreadLimit unread, int transactions) {
  /** The most transactions that a tenant may have open, unless told otherwise. */
  public static final int USUAL_TRANSACTIONS = 1_000;

  /**
   * @throws IllegalArgumentException if a limit is less than 1
   */
  public ClientLimits {
    if (transactions < 1) {
      throw new IllegalArgumentException(
          "the limit of open transactions must be 1 or more: transactions=" + transactions);
    }
  }

  /** Returns the usual limits for the Java heap of this process. */
  public static ClientLimits usual() {
    return new ClientLimits(
        WaitingLimit.USUAL,
        UnreadLimit.ofHeap(Runtime.getRuntime().maxMemory()),
        USUAL_TRANSACTIONS);
  }

  /** Returns these limits with another one of what waits. */
  public ClientLimits withWaiting(WaitingLimit next) {
    return new ClientLimits(next, unread, transactions);
  }

  /** Returns these limits with another one of what is not read. */
  public ClientLimits withUnread(UnreadLimit next) {
    return new ClientLimits(waiting, next, transactions);
  }

  /** Returns these limits with another number of transactions. */
  public ClientLimits withTransactions(int next) {
    return new ClientLimits(waiting, unread, next);
  }
}
