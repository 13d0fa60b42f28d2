package io.keyvalueserve.billing.metering;

import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a usage event. Two events of the same identity are one event that was told twice.
 *
 * @param member who counted
 * @param incarnation the member's starts so far, 0 or more: a member that starts anew counts its
 *     intervals from 0
 * @param interval which flush of that incarnation this comes from: 0 or more
 * @param tenant who is charged
 * @param tenantNumber its number: 1 or more, unique for all time
 * @param map the map, which is another tenant's if that granted it; null for what is of no map, as
 *     connections are
 * @param sharing with whom it was shared
 * @param persistence how the map was kept
 * @param minute when: minutes since 1970, UTC, 0 to {@link #MOST_MINUTE}
 */
public record UsageIdentity(
    UUID member,
    long incarnation,
    long interval,
    TenantName tenant,
    int tenantNumber,
    @Nullable QualifiedName map,
    SharingLevel sharing,
    Persistence persistence,
    long minute) {
  /** The last minute of the year 9999. */
  public static final long MOST_MINUTE = 4_223_371_679L;

  /**
   * @throws IllegalArgumentException if a field is out of its range; the message names it
   */
  public UsageIdentity {
    require(incarnation >= 0, "incarnation", "0 or more", incarnation);
    require(interval >= 0, "interval", "0 or more", interval);
    require(tenantNumber >= 1, "tenantNumber", "1 or more", tenantNumber);
    require(minute >= 0 && minute <= MOST_MINUTE, "minute", "0 to " + MOST_MINUTE, minute);
  }

  /** Identifies usage of what is kept as the members' own options say. */
  public UsageIdentity(
      UUID member,
      long incarnation,
      long interval,
      TenantName tenant,
      int tenantNumber,
      @Nullable QualifiedName map,
      SharingLevel sharing,
      long minute) {
    this(
        member,
        incarnation,
        interval,
        tenant,
        tenantNumber,
        map,
        sharing,
        Persistence.DEFAULT,
        minute);
  }

  private static void require(boolean holds, String field, String range, long value) {
    if (!holds) {
      throw new IllegalArgumentException("%s is %s: %d".formatted(field, range, value));
    }
  }

  /**
   * The one form for people and other programs: member, incarnation, interval, tenant's number,
   * map, sharing, minute, and persistence if it is not the default, with colons between them. A
   * map's name may hold colons, the other parts hold none: so the texts of two identities differ.
   */
  public String text() {
    return "%s:%d:%d:%d:%s:%s:%d%s"
        .formatted(
            member,
            incarnation,
            interval,
            tenantNumber,
            map == null ? "" : map,
            sharing.label(),
            minute,
            persistence == Persistence.DEFAULT ? "" : ":" + persistence.text());
  }
}
