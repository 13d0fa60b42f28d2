package io.keyvalueserve.tenancy.audit;

import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query for events of a trail. It asks for those for which everything that is set holds. Begin
 * with {@link #all}. Immutable.
 *
 * @param from the earliest time, inclusive; null for the beginning
 * @param to the latest time, exclusive; null for the end
 * @param tenant a tenant that the event concerns or that did it
 * @param kinds any of these; empty for all
 * @param actor a beginning of {@link Actor#text} up to its end or a mark in it: {@code operator},
 *     {@code tenant:acme}, {@code tenant:acme/AbCdEfGhIj}, {@code client@10.0.0.1}
 * @param objectPart text that the object holds
 * @param order newest or oldest first
 * @param limit the most events of a page, 1 to {@value #MOST_EVENTS}
 * @param cursor the sequence after which to go on in the order asked for, from {@link
 *     AuditPage#next}; null to begin
 */
public record AuditQuery(
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable TenantName tenant,
    Set<AuditKind> kinds,
    @Nullable String actor,
    @Nullable String objectPart,
    Order order,
    int limit,
    @Nullable Long cursor) {
  /** The most events of a page. */
  public static final int MOST_EVENTS = 10_000;

  /** The order of events, by sequence. */
  public enum Order {
    NEWEST_FIRST,
    OLDEST_FIRST
  }

  public AuditQuery {
    if (limit < 1 || limit > MOST_EVENTS) {
      throw new IllegalArgumentException(
          "audit: a page has 1 to %d events: limit=%d".formatted(MOST_EVENTS, limit));
    }
    kinds = Set.copyOf(kinds);
  }

  /** Everything, newest first, in pages of 100. */
  public static AuditQuery all() {
    return new AuditQuery(null, null, null, Set.of(), null, null, Order.NEWEST_FIRST, 100, null);
  }

  /** Returns this query for events between two times. */
  public AuditQuery between(@Nullable Instant newFrom, @Nullable Instant newTo) {
    return new AuditQuery(newFrom, newTo, tenant, kinds, actor, objectPart, order, limit, cursor);
  }

  /** Returns this query for events of one tenant. */
  public AuditQuery of(TenantName newTenant) {
    return new AuditQuery(from, to, newTenant, kinds, actor, objectPart, order, limit, cursor);
  }

  /** Returns this query for events of some kinds. */
  public AuditQuery of(Set<AuditKind> newKinds) {
    return new AuditQuery(from, to, tenant, newKinds, actor, objectPart, order, limit, cursor);
  }

  /** Returns this query for events by one actor, or by many whose texts begin alike. */
  public AuditQuery by(String newActor) {
    return new AuditQuery(from, to, tenant, kinds, newActor, objectPart, order, limit, cursor);
  }

  /** Returns this query for events of objects that hold a text. */
  public AuditQuery on(String newObjectPart) {
    return new AuditQuery(from, to, tenant, kinds, actor, newObjectPart, order, limit, cursor);
  }

  /** Returns this query in another order, with pages of another size. */
  public AuditQuery paged(Order newOrder, int newLimit) {
    return new AuditQuery(from, to, tenant, kinds, actor, objectPart, newOrder, newLimit, cursor);
  }

  /** Returns this query for events after a sequence, in the order asked for. */
  public AuditQuery after(long newCursor) {
    return new AuditQuery(from, to, tenant, kinds, actor, objectPart, order, limit, newCursor);
  }

  /** Returns whether an event is asked for, wherever the cursor is. */
  boolean matches(AuditEvent event) {
    return (from == null || !event.time().isBefore(from))
        && (to == null || event.time().isBefore(to))
        && (tenant == null || concerns(event, tenant))
        && (kinds.isEmpty() || kinds.contains(event.kind()))
        && (actor == null || begins(event.actor().text(), actor))
        && (objectPart == null || event.object().contains(objectPart));
  }

  /** Returns whether any event between these times, both inclusive, could be asked for. */
  boolean mayMatch(Instant earliest, Instant latest) {
    return (from == null || !latest.isBefore(from)) && (to == null || earliest.isBefore(to));
  }

  /** Returns whether a sequence lies behind the cursor. */
  boolean isAfterCursor(long sequence) {
    return cursor == null || (order == Order.OLDEST_FIRST ? sequence > cursor : sequence < cursor);
  }

  private static boolean concerns(AuditEvent event, TenantName tenant) {
    return tenant.equals(event.tenant())
        || (event.actor() instanceof Actor.TenantKey key && key.tenant().equals(tenant));
  }

  private static boolean begins(String text, String beginning) {
    return text.startsWith(beginning)
        && (text.length() == beginning.length()
            || "/@:".indexOf(text.charAt(beginning.length())) >= 0);
  }
}
