package io.keyvalueserve.gates.policy;

import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.gates.peer.PeerLimits;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import java.net.SocketAddress;

/**
 * The parts that every door of a member asks. No door has rules of its own.
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

  /** Creates a policy with a budget of its own for peers without a key. */
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

  /**
   * Counts a key that a door has refused, and tells the audit trail of it unless too many keys from
   * the address were refused lately.
   *
   * @param shown the name that came with the key, empty if none did
   * @param from the address that is counted
   * @return 0, or in how many milliseconds the address may try again
   */
  public long keyRefused(String shown, Door door, SocketAddress from) {
    long wait = peers.failedKeys().failed(from);
    if (wait == 0) {
      audit.loginRefused(shown, door, from);
    }
    return wait;
  }
}
