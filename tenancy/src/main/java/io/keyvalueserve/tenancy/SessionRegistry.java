package io.keyvalueserve.tenancy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The open sessions of this member, over all doors, by tenant.
 *
 * <p>A door registers a session when it has authenticated it and unregisters it when its connection
 * closes. Whoever takes a right away calls {@link #endUnless}. The race between the two is closed
 * by order: a door authenticates, registers, then <em>asks once more</em> ({@link #register} does
 * it); so a session that was authenticated before a revocation and registered after it is refused.
 *
 * <p>Thread-safe. No lock is shared between tenants.
 */
public final class SessionRegistry {
  private final ConcurrentHashMap<Integer, Set<Session>> byTenant = new ConcurrentHashMap<>();
  private final Predicate<Identity> stillValid;

  /**
   * @param stillValid whether an identity may keep its sessions, from the catalogue as this member
   *     knows it; never blocks
   */
  public SessionRegistry(Predicate<Identity> stillValid) {
    this.stillValid = stillValid;
  }

  /**
   * Enters a session.
   *
   * @return false if its identity has lost its right since it was authenticated; the session is
   *     then not entered, and the door closes it
   */
  public boolean register(Session session) {
    int tenant = session.identity().number();
    byTenant.compute(
        tenant,
        (number, sessions) -> {
          Set<Session> open = sessions == null ? ConcurrentHashMap.newKeySet() : sessions;
          open.add(session);
          return open;
        });
    if (stillValid.test(session.identity())) {
      return true;
    }
    unregister(session);
    return false;
  }

  /** Takes a session out. Does nothing if it is not in. */
  public void unregister(Session session) {
    byTenant.computeIfPresent(
        session.identity().number(),
        (number, sessions) -> {
          sessions.remove(session);
          return sessions.isEmpty() ? null : sessions;
        });
  }

  /** How many sessions the tenant has open on this member. */
  public int count(int tenantNumber) {
    Set<Session> sessions = byTenant.get(tenantNumber);
    return sessions == null ? 0 : sessions.size();
  }

  /** How many sessions are open on this member. */
  public int count() {
    int sum = 0;
    for (Set<Session> sessions : byTenant.values()) {
      sum += sessions.size();
    }
    return sum;
  }

  /** The tenant's sessions on this member as they are now: a copy. */
  public List<Session> of(int tenantNumber) {
    Set<Session> sessions = byTenant.get(tenantNumber);
    return sessions == null ? List.of() : List.copyOf(sessions);
  }

  /**
   * Ends every session whose identity is no longer valid.
   *
   * @return how many were told to end
   */
  public int endInvalid(String reason) {
    return endUnless(stillValid, reason);
  }

  /** Ends every session whose identity does not pass. */
  public int endUnless(Predicate<Identity> mayStay, String reason) {
    List<Session> leaving = new ArrayList<>();
    for (Set<Session> sessions : byTenant.values()) {
      for (Session session : sessions) {
        if (!mayStay.test(session.identity())) {
          leaving.add(session);
        }
      }
    }
    for (Session session : leaving) {
      session.end(reason);
    }
    return leaving.size();
  }
}
