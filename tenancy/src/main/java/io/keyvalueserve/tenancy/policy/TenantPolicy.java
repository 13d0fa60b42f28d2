package io.keyvalueserve.tenancy.policy;

import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.TenantMeters;
import io.keyvalueserve.tenancy.admission.Admissions;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.heap.HeapUse;
import io.keyvalueserve.tenancy.heap.MemberHeap;
import io.keyvalueserve.tenancy.metering.UsageBook;
import io.keyvalueserve.tenancy.peer.PeerBudget;
import io.keyvalueserve.tenancy.peer.PeerLimits;

/**
 * What every door of a member asks, so that none of them has rules of its own.
 *
 * @param authenticator who is there
 * @param sessions who is in
 * @param meters what each has used
 * @param usage what each is charged for
 * @param grants what each may do with others' maps
 * @param admissions how much each may use
 * @param audit is told who came and who was turned away
 * @param peers what peers without a key may use, at all doors together
 */
public record TenantPolicy(
    Authenticator authenticator,
    SessionRegistry sessions,
    TenantMeters meters,
    UsageBook usage,
    GrantDirectory grants,
    Admissions admissions,
    AccessAudit audit,
    PeerBudget peers) {

  /** Has what peers without a key hold count to the heap that tenants use. */
  public TenantPolicy {
    peers.countTo(admissions.memberHeap().lease(MemberHeap.STRANGERS, HeapUse.WITHOUT_KEY));
  }

  /** With a budget of its own for peers without a key. */
  public TenantPolicy(
      Authenticator authenticator,
      SessionRegistry sessions,
      TenantMeters meters,
      UsageBook usage,
      GrantDirectory grants,
      Admissions admissions,
      AccessAudit audit) {
    this(
        authenticator,
        sessions,
        meters,
        usage,
        grants,
        admissions,
        audit,
        new PeerBudget(PeerLimits.fitted(0, Runtime.getRuntime().maxMemory()), System::nanoTime));
  }
}
