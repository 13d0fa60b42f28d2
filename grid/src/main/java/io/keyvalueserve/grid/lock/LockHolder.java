package io.keyvalueserve.grid.lock;

import org.jspecify.annotations.Nullable;

/**
 * The holder of a lock.
 *
 * @param client the kind of its client
 * @param tenant the name of the tenant; null if that is not known
 * @param purpose what the lock is for
 * @param transaction the id of the transaction, if a member coordinates it; else null
 * @param clientId the grid's id of the Hazelcast client; null for others
 * @param session the address of the Hazelcast client, and its name; null if it is not connected
 */
public record LockHolder(
    Client client,
    @Nullable String tenant,
    LockPurpose purpose,
    @Nullable String transaction,
    @Nullable String clientId,
    @Nullable String session) {
  /** The kinds of clients that take locks. */
  public enum Client {
    /** A Hazelcast client. */
    HAZELCAST,

    /** A member, for a Redis or HTTP client. */
    MEMBER
  }

  /** Returns whether a transaction holds the lock, of whatever kind. */
  public boolean isTransaction() {
    return transaction != null || purpose == LockPurpose.CLIENT_TRANSACTION;
  }

  /** Returns who holds the lock, in words for people. */
  public String words() {
    String of = tenant == null ? purpose.words() : purpose.words() + " of " + tenant;
    return transaction == null ? of : of + " (" + transaction + ")";
  }

  LockHolder used(LockPurpose by, @Nullable String who) {
    return new LockHolder(client, who, by, transaction, clientId, session);
  }

  LockHolder connected(String where) {
    return new LockHolder(client, tenant, purpose, transaction, clientId, where);
  }
}
