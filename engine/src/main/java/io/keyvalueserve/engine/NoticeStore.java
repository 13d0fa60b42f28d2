package io.keyvalueserve.engine;

import io.keyvalueserve.tenancy.TenantName;

/**
 * Keeps which events of keys each tenant is told of, where every member finds it, and tells of keys
 * that leave by themselves. Thread-safe. Events are numbers whose bits mean the same at all
 * members.
 */
public interface NoticeStore {
  /** A store of a member that has no others. It keeps nothing. */
  NoticeStore ALONE =
      new NoticeStore() {
        @Override
        public void set(TenantName name, int tenant, int events) {}

        @Override
        public void forget(int tenant) {}

        @Override
        public void subscribe(Listener listener) {}

        @Override
        public void onRemoval(Removals heard) {}
      };

  /**
   * Sets the events that a tenant is told of. Does not block: other members know of it soon after.
   *
   * @param tenant the tenant's number
   * @param events 0 for none
   */
  void set(TenantName name, int tenant, int events);

  /** Forgets a tenant that was deleted. Does not block. */
  void forget(int tenant);

  /**
   * Has a listener told the events of each tenant: those that are kept, and each change at any
   * member.
   */
  void subscribe(Listener listener);

  /** Sets who hears of keys of this member that expire or are evicted. */
  void onRemoval(Removals heard);

  /** Hears which events tenants are told of. Must not block; any thread calls it. */
  @FunctionalInterface
  interface Listener {
    /** A tenant is told of these events from now on. */
    void told(TenantName name, int tenant, int events);
  }

  /** Hears of keys that leave by themselves. Must not block; any thread calls it. */
  interface Removals {
    /** Returns whether anybody wants to hear of any key. */
    boolean isWanted();

    /**
     * A key has left.
     *
     * @param map the map's name in the grid
     * @param expired whether it has expired; false if it was evicted
     */
    void removed(String map, byte[] key, boolean expired);
  }
}
