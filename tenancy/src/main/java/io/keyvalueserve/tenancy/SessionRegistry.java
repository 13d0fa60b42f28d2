package io.keyvalueserve.tenancy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

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
  private final ToLongFunction<Identity> most;
  private volatile Predicate<Identity> mayEnter = identity -> true;

  /**
   * One without a limit on how many sessions a tenant has.
   *
   * @param stillValid whether an identity may keep its sessions, from the catalogue as this member
   *     knows it; never blocks
   */
  public SessionRegistry(Predicate<Identity> stillValid) {
    this(stillValid, identity -> Long.MAX_VALUE);
  }

  /**
   * @param stillValid whether an identity may keep its sessions, from the catalogue as this member
   *     knows it; never blocks
   * @param most how many sessions a tenant may have on this member at present; never blocks
   */
  public SessionRegistry(Predicate<Identity> stillValid, ToLongFunction<Identity> most) {
    this.stillValid = stillValid;
    this.most = most;
  }

  /** The result of registering a session. */
  public enum Entry {
    /** The session is in. */
    ENTERED,
    /** Its identity has lost its right since it was authenticated. The door closes it. */
    NO_LONGER_VALID,
    /** Its tenant has as many as it may have. The door closes it. */
    TOO_MANY,
    /** The member is reserved for another tenant. The door says {@link #RESERVED}, closes it. */
    RESERVED
  }

  /** The message to a client whose tenant may not be on this member. */
  public static final String RESERVED =
      "this member is reserved for another tenant; connect to another member of the cluster";

  /**
   * Lets in only sessions of some tenants from now on. Who changes its mind calls {@link
   * #endUnless} behind it.
   *
   * @param next never blocks
   */
  public void admitOnly(Predicate<Identity> next) {
    mayEnter = next;
  }

  /** Returns whether sessions of an identity may be on this member. */
  public boolean mayEnter(Identity identity) {
    return mayEnter.test(identity);
  }

  /** Enters a session, if it may be. */
  public Entry register(Session session) {
    Identity identity = session.identity();
    long allowed = most.applyAsLong(identity);
    Set<Session> entered =
        byTenant.compute(
            identity.number(),
            (number, sessions) -> {
              Set<Session> open = sessions == null ? ConcurrentHashMap.newKeySet() : sessions;
              if (open.size() < allowed) {
                open.add(session);
              }
              return open.isEmpty() ? null : open;
            });
    if (entered == null || !entered.contains(session)) {
      return Entry.TOO_MANY;
    }
    boolean valid = stillValid.test(identity);
    if (valid && mayEnter.test(identity)) {
      return Entry.ENTERED;
    }
    unregister(session);
    return valid ? Entry.RESERVED : Entry.NO_LONGER_VALID;
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

  /** Returns the number of sessions that the tenant has open on this member. */
  public int count(int tenantNumber) {
    Set<Session> sessions = byTenant.get(tenantNumber);
    return sessions == null ? 0 : sessions.size();
  }

  /** Shows each tenant that has sessions open on this member, and how many. */
  public void forEachTenant(ObjIntConsumer<Identity> visitor) {
    for (Set<Session> sessions : byTenant.values()) {
      Iterator<Session> open = sessions.iterator();
      if (open.hasNext()) {
        visitor.accept(open.next().identity(), sessions.size());
      }
    }
  }

  /** Returns the number of sessions that are open on this member. */
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
