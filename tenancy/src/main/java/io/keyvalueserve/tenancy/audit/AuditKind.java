package io.keyvalueserve.tenancy.audit;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The kinds of events in the audit trail. The labels are stored: they never change their meaning.
 */
public enum AuditKind {
  TENANT_CREATED("tenant.created", Care.DURABLE),
  TENANT_SUSPENDED("tenant.suspended", Care.DURABLE),
  TENANT_RESUMED("tenant.resumed", Care.DURABLE),
  TENANT_DELETED("tenant.deleted", Care.DURABLE),
  KEY_CREATED("key.created", Care.DURABLE),
  KEY_REVOKED("key.revoked", Care.DURABLE),
  GRANT_CREATED("grant.created", Care.DURABLE),
  GRANT_REVOKED("grant.revoked", Care.DURABLE),
  MAP_CONFIGURED("map.configured", Care.DURABLE),
  TENANT_CONFIGURED("tenant.configured", Care.DURABLE),
  TENANT_HIBERNATED("tenant.hibernated", Care.DURABLE),
  TENANT_WOKEN("tenant.woken", Care.DURABLE),
  TENANT_WAKE_FAILED("tenant.wake_failed", Care.DURABLE),
  CONSENT_GIVEN("consent.given", Care.DURABLE),
  CONSENT_WITHDRAWN("consent.withdrawn", Care.DURABLE),
  MAP_STORE_SET("map.store_set", Care.DURABLE),
  MAP_LETTERS_ENDED("map.letters_ended", Care.DURABLE),
  STORE_SET("store.set", Care.DURABLE),
  STORE_DELETED("store.deleted", Care.DURABLE),
  SNAPSHOT_CREATED("snapshot.created", Care.DURABLE),
  SNAPSHOT_VERIFIED("snapshot.verified", Care.DURABLE),
  SNAPSHOT_RESTORED("snapshot.restored", Care.DURABLE),
  SNAPSHOT_DELETED("snapshot.deleted", Care.DURABLE),
  SNAPSHOT_FAILED("snapshot.failed", Care.DURABLE),
  SNAPSHOT_PLAN_CHANGED("snapshot.plan_changed", Care.DURABLE),
  SNAPSHOT_KEY_EXPORTED("snapshot.key_exported", Care.DURABLE),
  SNAPSHOT_KEY_DESTROYED("snapshot.key_destroyed", Care.DURABLE),
  QUOTA_CHANGED("quota.changed", Care.DURABLE),
  CAP_CHANGED("cap.changed", Care.DURABLE),
  SPEND_WARNED("spend.warned", Care.DURABLE),
  SPEND_REACHED("spend.reached", Care.DURABLE),
  UNLOCK_FORCED("unlock.forced", Care.DURABLE),
  QUERY_ENDED("query.ended", Care.DURABLE),
  RATES_CHANGED("rates.changed", Care.DURABLE),
  LEDGER_CORRECTED("ledger.corrected", Care.DURABLE),
  LEDGER_MERGED("ledger.merged", Care.DURABLE),
  USAGE_LOST("usage.lost", Care.DURABLE),
  RESERVATION_MADE("reservation.made", Care.DURABLE),
  RESERVATION_RELEASED("reservation.released", Care.DURABLE),
  MEMBER_FORGOTTEN("member.forgotten", Care.DURABLE),
  LOSS_ACKNOWLEDGED("loss.acknowledged", Care.DURABLE),
  LOGIN_ACCEPTED("login.accepted", Care.COALESCED),
  LOGIN_REFUSED("login.refused", Care.COALESCED),
  REQUEST_REFUSED("request.refused", Care.COALESCED),
  /** Events that were not taken because too many came at once; the count says how many. */
  AUDIT_DROPPED("audit.dropped", Care.NOTICE),
  /** Events that were taken and could not be written; the count says how many. */
  AUDIT_LOST("audit.lost", Care.NOTICE),
  /** The end of the trail was torn by a crash and cut off. */
  AUDIT_REPAIRED("audit.repaired", Care.NOTICE);

  private enum Care {
    DURABLE,
    COALESCED,
    NOTICE
  }

  private static final Map<String, AuditKind> BY_LABEL =
      Arrays.stream(values()).collect(Collectors.toMap(AuditKind::label, Function.identity()));

  private final String label;
  private final Care care;

  AuditKind(String label, Care care) {
    this.label = label;
    this.care = care;
  }

  /** The stored form, and the one that people see. */
  public String label() {
    return label;
  }

  /**
   * Returns whether an administrator did it. Such events are for {@link AuditLog#recordDurably}.
   */
  public boolean isAdministrative() {
    return care == Care.DURABLE;
  }

  /** The kind with a label; empty if there is none. */
  public static Optional<AuditKind> ofLabel(String label) {
    return Optional.ofNullable(BY_LABEL.get(label));
  }

  /**
   * Returns whether a client can cause any number of such events. Equal ones then become one with a
   * count.
   */
  boolean isCoalesced() {
    return care == Care.COALESCED;
  }

  /** Returns whether this is an event of the trail about itself. */
  boolean isNotice() {
    return care == Care.NOTICE;
  }
}
