package io.keyvalueserve.server.http;

import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.audit.Actor;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request at the HTTP door.
 *
 * @param tenant whose access key it was; null for an operator, and for a scraper
 * @param isScraper whether it may read metrics and nothing else: it never passes the gate to
 *     anything where a caller without a tenant is an operator
 */
record Caller(@Nullable Identity tenant, boolean isScraper) {
  static final Caller OPERATOR = new Caller(null, false);
  static final Caller SCRAPER = new Caller(null, true);

  Caller(@Nullable Identity tenant) {
    this(tenant, false);
  }

  /** Returns the sender of a request that has passed the gate. */
  static Caller of(ServerRequest request) {
    return request
        .context()
        .get(Caller.class)
        .orElseThrow(
            () -> new HttpException("nobody has passed the gate", Status.UNAUTHORIZED_401));
  }

  /** Lets operators and the tenant itself pass. */
  private void requireMayActFor(TenantName owner) {
    if (tenant != null && !tenant.tenant().equals(owner)) {
      throw new HttpException(
          "an access key of tenant '" + tenant.tenant() + "' does not act for '" + owner + "'",
          Status.FORBIDDEN_403);
    }
  }

  /**
   * The map that a request names, if whoever sent it may act for its owner.
   *
   * @throws HttpException if not
   */
  static QualifiedName ownMap(ServerRequest request) {
    return new QualifiedName(
        ownTenant(request), new MapName(request.path().pathParameters().get("map")));
  }

  /** The tenant that a request names; see {@link #ownMap}. */
  static TenantName ownTenant(ServerRequest request) {
    TenantName tenant = new TenantName(request.path().pathParameters().get("tenant"));
    of(request).requireMayActFor(tenant);
    return tenant;
  }

  /** Returns the sender of a request as the audit trail names it. */
  static Actor actor(ServerRequest request) {
    Identity who = of(request).tenant();
    return who == null ? Actor.operator(request.remotePeer().address()) : Actor.of(who);
  }
}
