package io.keyvalueserve.server.http;

import io.helidon.http.Status;
import io.keyvalueserve.gates.peer.FailureAllowance;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.tenancy.CatalogueException;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.Grant;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Holds back tenants whose grants are refused, as they are to tenants that do not exist: who grants
 * learns whether the other exists, and must not find out in this way who else is here. Each refusal
 * is told to the audit trail.
 *
 * <p>Counted by tenant, whatever the address, so that nobody holds others back who share one. A
 * tenant that is held back is given no grant either, else that would tell as much as a refusal.
 * Thread-safe.
 */
final class GrantsOfTenants {
  private static final long MILLIS_PER_SECOND = 1_000;

  private final AccessAudit audit;
  private final FailureAllowance allowance;

  GrantsOfTenants(AccessAudit audit, LongSupplier nanoClock) {
    this.audit = audit;
    this.allowance = new FailureAllowance(nanoClock);
  }

  /**
   * Gives a grant for a tenant.
   *
   * @param giving gives it
   * @throws CatalogueException as that does
   * @throws Errors.Refused if too many of the tenant's grants were refused
   */
  Grant give(Identity tenant, QualifiedName map, TenantName to, Supplier<Grant> giving) {
    String who = tenant.tenant().value();
    long wait = allowance.take(who); // at first, or many at a time would go past the count
    if (wait > 0) {
      throw new HttpErrors.Refused(
          Status.TOO_MANY_REQUESTS_429,
          "too_many_refused_grants",
          "too many grants of tenant '"
              + who
              + "' were refused, or are being made at this moment; look at whom they are to, and"
              + " retry after "
              + wait
              + " ms",
          (wait + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND);
    }
    boolean isRefused = false;
    try {
      return giving.get();
    } catch (CatalogueException e) {
      isRefused = true;
      audit.requestRefused(
          tenant,
          Door.HTTP,
          map.toString(),
          "grant to " + to + ": " + e.kind().name().toLowerCase(Locale.ROOT));
      throw e;
    } finally {
      if (!isRefused) {
        allowance.giveBack(who);
      }
    }
  }
}
