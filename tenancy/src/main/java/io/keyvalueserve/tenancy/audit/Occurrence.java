package io.keyvalueserve.tenancy.audit;

import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An occurrence as its observer reports it to {@link AuditLog}. It has no place in the trail yet.
 * Equal occurrences may become one event with a count.
 *
 * <p>Texts are cut to their bounds and secrets in them put out, wherever they come from: an access
 * key appears by its id. Nothing here throws, so an event loop may make one of any text.
 *
 * @param kind what it is
 * @param actor who did it
 * @param tenant the tenant that it concerns, if any
 * @param object what was touched: {@code acme/orders}, a key's id, a prefix or key as text; up to
 *     {@value #MOST_OBJECT_CHARACTERS} characters, may be empty
 * @param detail more in a few words; up to {@value #MOST_DETAIL_CHARACTERS} characters, may be
 *     empty
 */
public record Occurrence(
    AuditKind kind, Actor actor, @Nullable TenantName tenant, String object, String detail) {
  /** Characters of an object that are kept. */
  public static final int MOST_OBJECT_CHARACTERS = 512;

  /** Characters of a detail that are kept. */
  public static final int MOST_DETAIL_CHARACTERS = 256;

  private static final String VARIOUS = "various; too many to tell one by one";

  public Occurrence {
    object = AuditText.of(object, MOST_OBJECT_CHARACTERS);
    detail = AuditText.of(detail, MOST_DETAIL_CHARACTERS);
  }

  /** A tenant was created, with the access key of that id. */
  public static Occurrence tenantCreated(Actor actor, TenantName tenant, String keyId) {
    return new Occurrence(AuditKind.TENANT_CREATED, actor, tenant, keyId, "");
  }

  /** A tenant was shut out. */
  public static Occurrence tenantSuspended(Actor actor, TenantName tenant) {
    return new Occurrence(AuditKind.TENANT_SUSPENDED, actor, tenant, "", "");
  }

  /** A suspended tenant was let in again. */
  public static Occurrence tenantResumed(Actor actor, TenantName tenant) {
    return new Occurrence(AuditKind.TENANT_RESUMED, actor, tenant, "", "");
  }

  /** A tenant was shut out for good. */
  public static Occurrence tenantDeleted(Actor actor, TenantName tenant) {
    return new Occurrence(AuditKind.TENANT_DELETED, actor, tenant, "", "");
  }

  /** An access key was made. */
  public static Occurrence keyCreated(Actor actor, TenantName tenant, String keyId, String label) {
    return new Occurrence(AuditKind.KEY_CREATED, actor, tenant, keyId, label);
  }

  /** An access key was taken back. */
  public static Occurrence keyRevoked(Actor actor, TenantName tenant, String keyId) {
    return new Occurrence(AuditKind.KEY_REVOKED, actor, tenant, keyId, "");
  }

  /**
   * A right was given.
   *
   * @param owner whose the object is
   * @param object the map, prefix or key
   * @param right to whom, and what it may do
   */
  public static Occurrence grantCreated(
      Actor actor, TenantName owner, String object, String right) {
    return new Occurrence(AuditKind.GRANT_CREATED, actor, owner, object, right);
  }

  /** A right was taken back; see {@link #grantCreated}. */
  public static Occurrence grantRevoked(
      Actor actor, TenantName owner, String object, String right) {
    return new Occurrence(AuditKind.GRANT_REVOKED, actor, owner, object, right);
  }

  /** Creates an occurrence: the configuration of a map was changed. */
  public static Occurrence mapConfigured(Actor actor, TenantName owner, String map, String change) {
    return new Occurrence(AuditKind.MAP_CONFIGURED, actor, owner, map, change);
  }

  /** Creates an occurrence: what holds for all maps of a tenant was changed. */
  public static Occurrence tenantConfigured(Actor actor, TenantName tenant, String change) {
    return new Occurrence(AuditKind.TENANT_CONFIGURED, actor, tenant, tenant.value(), change);
  }

  /**
   * Creates an occurrence: a tenant has consented that its data is kept on the disk, or has
   * withdrawn its consent.
   *
   * @param object the map, or the tenant for all its maps
   * @param before what the tenant had said before
   */
  public static Occurrence consented(
      Actor actor, TenantName tenant, String object, boolean given, String before) {
    return new Occurrence(
        given ? AuditKind.CONSENT_GIVEN : AuditKind.CONSENT_WITHDRAWN,
        actor,
        tenant,
        object,
        before);
  }

  /** Creates an occurrence: a table of an external store is behind a map, or none any more. */
  public static Occurrence mapStoreSet(Actor actor, TenantName owner, String map, String store) {
    return new Occurrence(AuditKind.MAP_STORE_SET, actor, owner, map, store);
  }

  /**
   * Creates an occurrence: writes of a map that its external store had refused are tried again, or
   * were discarded.
   *
   * @param what how many, and which
   */
  public static Occurrence lettersEnded(Actor actor, TenantName owner, String map, String what) {
    return new Occurrence(AuditKind.MAP_LETTERS_ENDED, actor, owner, map, what);
  }

  /**
   * Creates an occurrence: an external store was created or changed.
   *
   * @param facts where it is; no password
   */
  public static Occurrence storeSet(Actor actor, String store, String facts) {
    return new Occurrence(AuditKind.STORE_SET, actor, null, store, facts);
  }

  /** Creates an occurrence: an external store was deleted. */
  public static Occurrence storeDeleted(Actor actor, String store) {
    return new Occurrence(AuditKind.STORE_DELETED, actor, null, store, "");
  }

  /**
   * Creates an occurrence: a tenant has left memory.
   *
   * @param sizes how much the repository has of it
   */
  public static Occurrence tenantHibernated(Actor actor, TenantName tenant, String sizes) {
    return new Occurrence(AuditKind.TENANT_HIBERNATED, actor, tenant, tenant.value(), sizes);
  }

  /**
   * Creates an occurrence: a tenant is in memory again.
   *
   * @param sizes how many entries, and how long it took
   */
  public static Occurrence tenantWoken(Actor actor, TenantName tenant, String sizes) {
    return new Occurrence(AuditKind.TENANT_WOKEN, actor, tenant, tenant.value(), sizes);
  }

  /** Creates an occurrence: a tenant could not be brought back into memory. */
  public static Occurrence tenantWakeFailed(Actor actor, TenantName tenant, String problem) {
    return new Occurrence(AuditKind.TENANT_WAKE_FAILED, actor, tenant, tenant.value(), problem);
  }

  /**
   * Creates an occurrence: a snapshot of a tenant was created.
   *
   * @param snapshot its id
   * @param sizes how many entries and bytes it has
   */
  public static Occurrence snapshotCreated(
      Actor actor, TenantName tenant, String snapshot, String sizes) {
    return new Occurrence(AuditKind.SNAPSHOT_CREATED, actor, tenant, snapshot, sizes);
  }

  /**
   * Creates an occurrence: a snapshot of a tenant was read as a whole.
   *
   * @param found whether it is whole
   */
  public static Occurrence snapshotVerified(
      Actor actor, TenantName tenant, String snapshot, String found) {
    return new Occurrence(AuditKind.SNAPSHOT_VERIFIED, actor, tenant, snapshot, found);
  }

  /**
   * Creates an occurrence: a snapshot was restored.
   *
   * @param tenant the tenant that has the entries now
   * @param sizes how many entries, and of which tenant the snapshot was
   */
  public static Occurrence snapshotRestored(
      Actor actor, TenantName tenant, String snapshot, String sizes) {
    return new Occurrence(AuditKind.SNAPSHOT_RESTORED, actor, tenant, snapshot, sizes);
  }

  /** Creates an occurrence: a snapshot of a tenant was deleted. */
  public static Occurrence snapshotDeleted(
      Actor actor, TenantName tenant, String snapshot, String repository) {
    return new Occurrence(AuditKind.SNAPSHOT_DELETED, actor, tenant, snapshot, repository);
  }

  /**
   * Creates an occurrence: a snapshot was not created, or not restored.
   *
   * @param snapshot its id; empty if it has none
   * @param problem what was asked for, and why it failed
   */
  public static Occurrence snapshotFailed(
      Actor actor, TenantName tenant, String snapshot, String problem) {
    return new Occurrence(AuditKind.SNAPSHOT_FAILED, actor, tenant, snapshot, problem);
  }

  /**
   * Creates an occurrence: the plan of a tenant's snapshots was set or deleted.
   *
   * @param plan what it is now
   */
  public static Occurrence snapshotPlanChanged(Actor actor, TenantName tenant, String plan) {
    return new Occurrence(AuditKind.SNAPSHOT_PLAN_CHANGED, actor, tenant, "plan", plan);
  }

  /** Creates an occurrence: somebody was told the key of a tenant's snapshots. */
  public static Occurrence snapshotKeyExported(Actor actor, TenantName tenant, UUID key) {
    return new Occurrence(
        AuditKind.SNAPSHOT_KEY_EXPORTED, actor, tenant, key.toString(), "of snapshots");
  }

  /** Creates an occurrence: the key of a tenant's snapshots is gone, and with it all of them. */
  public static Occurrence snapshotKeyDestroyed(Actor actor, TenantName tenant, UUID key) {
    return new Occurrence(
        AuditKind.SNAPSHOT_KEY_DESTROYED, actor, tenant, key.toString(), "of snapshots");
  }

  /** A tenant may use more or less than before. */
  public static Occurrence quotaChanged(Actor actor, TenantName tenant, String change) {
    return new Occurrence(AuditKind.QUOTA_CHANGED, actor, tenant, "", change);
  }

  /** A tenant may spend more or less than before. */
  public static Occurrence capChanged(Actor actor, TenantName tenant, String change) {
    return new Occurrence(AuditKind.CAP_CHANGED, actor, tenant, "", change);
  }

  /**
   * A tenant has spent a part of its cap, or all of it.
   *
   * @param percent how much of it: 1 to 100
   * @param spent how much that is, and when
   */
  public static Occurrence capSpent(Actor actor, TenantName tenant, int percent, String spent) {
    return new Occurrence(
        percent < 100 ? AuditKind.SPEND_WARNED : AuditKind.SPEND_REACHED,
        actor,
        tenant,
        percent + "%",
        spent);
  }

  /** Prices are others than before, from some time on. */
  public static Occurrence ratesChanged(Actor actor, String cards) {
    return new Occurrence(AuditKind.RATES_CHANGED, actor, null, cards, "");
  }

  /**
   * A member was taken off the cluster for good.
   *
   * @param member its address
   * @param id its id
   */
  public static Occurrence memberForgotten(Actor actor, String member, UUID id) {
    return new Occurrence(AuditKind.MEMBER_FORGOTTEN, actor, null, member, id.toString());
  }

  /**
   * An operator has taken note that data are lost.
   *
   * @param loss what is lost
   */
  public static Occurrence lossAcknowledged(Actor actor, String loss) {
    return new Occurrence(AuditKind.LOSS_ACKNOWLEDGED, actor, null, "cluster", loss);
  }

  /**
   * Creates an occurrence: the ledger of a tenant was corrected.
   *
   * @param entry which entry of its ledger
   * @param change what was added or taken off, and why
   */
  public static Occurrence ledgerCorrected(
      Actor actor, TenantName tenant, String entry, String change) {
    return new Occurrence(AuditKind.LEDGER_CORRECTED, actor, tenant, entry, change);
  }

  /**
   * Creates an occurrence: usage of one side of a split was appended to the ledger of the other.
   *
   * @param events how many events
   * @param totals the sums of what was used
   */
  public static Occurrence ledgerMerged(TenantName tenant, String events, String totals) {
    return new Occurrence(AuditKind.LEDGER_MERGED, Actor.Other.MEMBER, tenant, events, totals);
  }

  /**
   * Creates an occurrence: usage, or a correction of usage, is in no ledger after a merge.
   *
   * @param what which usage
   * @param totals the sums of what was used, or the correction
   */
  public static Occurrence usageLost(TenantName tenant, String what, String totals) {
    return new Occurrence(AuditKind.USAGE_LOST, Actor.Other.MEMBER, tenant, what, totals);
  }

  /**
   * Something is kept for a tenant alone, or other memory with it than before.
   *
   * @param object the map, or the member's address
   * @param reservation which one, and how much memory
   */
  public static Occurrence reservationMade(
      Actor actor, TenantName tenant, String object, String reservation) {
    return new Occurrence(AuditKind.RESERVATION_MADE, actor, tenant, object, reservation);
  }

  /** Something is no longer kept for a tenant alone; see {@link #reservationMade}. */
  public static Occurrence reservationReleased(
      Actor actor, TenantName tenant, String object, String reservation) {
    return new Occurrence(AuditKind.RESERVATION_RELEASED, actor, tenant, object, reservation);
  }

  /** Somebody's lock was taken from it. */
  public static Occurrence unlockForced(
      Actor actor, TenantName owner, String object, String holder) {
    return new Occurrence(AuditKind.UNLOCK_FORCED, actor, owner, object, holder);
  }

  /**
   * Creates an occurrence: somebody has ended a statement of a tenant.
   *
   * @param query the statement's id
   */
  public static Occurrence queryEnded(Actor actor, TenantName tenant, String query) {
    return new Occurrence(AuditKind.QUERY_ENDED, actor, tenant, query, "");
  }

  /**
   * A client was let in.
   *
   * @param address where it came from, without a port; see {@link Actor#address}
   */
  public static Occurrence loginAccepted(Identity identity, Door door, String address) {
    return new Occurrence(
        AuditKind.LOGIN_ACCEPTED, Actor.of(identity), identity.tenant(), address, door.label());
  }

  /**
   * A client was not let in.
   *
   * @param shown the tenant's name as the client sent it, whatever it holds; empty if it sent none
   */
  public static Occurrence loginRefused(Actor client, Door door, String shown) {
    TenantName tenant = TenantName.isValid(shown) ? new TenantName(shown) : null;
    return new Occurrence(AuditKind.LOGIN_REFUSED, client, tenant, shown, door.label());
  }

  /**
   * Somebody asked for what it may not.
   *
   * @param tenant whose the object is, if that is known
   * @param object what it asked for
   * @param request the command or message, and why it was refused
   */
  public static Occurrence requestRefused(
      Actor actor, @Nullable TenantName tenant, String object, String request) {
    return new Occurrence(AuditKind.REQUEST_REFUSED, actor, tenant, object, request);
  }

  /** Creates an occurrence that the trail reports about itself. */
  static Occurrence notice(AuditKind kind, String object, String detail) {
    return new Occurrence(kind, Actor.Other.MEMBER, null, object, detail);
  }

  /** Returns this occurrence for any object. */
  Occurrence ofVariousObjects() {
    return new Occurrence(kind, actor, null, "", VARIOUS);
  }

  /** Returns this occurrence for any object, by anybody. */
  Occurrence ofVariousActors() {
    return new Occurrence(kind, Actor.Other.MANY, null, "", VARIOUS);
  }
}
