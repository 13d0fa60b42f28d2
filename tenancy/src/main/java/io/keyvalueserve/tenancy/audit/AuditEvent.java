package io.keyvalueserve.tenancy.audit;

import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One event of a member's audit trail. Immutable; holds no secret, because an {@link Occurrence}
 * holds none.
 *
 * @param sequence its place in the member's trail: 1 for the first, one more for each that follows
 * @param time when it happened first, to the millisecond. In the trail times do not fall: what was
 *     held back to be counted has the time of the event before it at least. Only a clock that was
 *     set back makes them fall
 * @param member whose trail it is
 * @param occurrence what happened
 * @param count how many times it happened, 1 or more
 */
public record AuditEvent(
    long sequence, Instant time, UUID member, Occurrence occurrence, long count) {
  public AuditEvent {
    if (sequence < 1 || count < 1) {
      throw new IllegalArgumentException(
          "an audit event's sequence and count are at least 1: sequence=%d count=%d"
              .formatted(sequence, count));
    }
    time = time.truncatedTo(ChronoUnit.MILLIS);
  }

  /** Returns the kind of event. */
  public AuditKind kind() {
    return occurrence.kind();
  }

  /** Returns the actor. */
  public Actor actor() {
    return occurrence.actor();
  }

  /** The tenant that it concerns, if any. */
  public @Nullable TenantName tenant() {
    return occurrence.tenant();
  }

  /** Returns the object that was touched; may be empty. */
  public String object() {
    return occurrence.object();
  }

  /** More in a few words; may be empty. */
  public String detail() {
    return occurrence.detail();
  }
}
