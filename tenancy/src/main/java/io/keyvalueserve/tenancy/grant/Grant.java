package io.keyvalueserve.tenancy.grant;

import io.keyvalueserve.tenancy.TenantName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rights of one tenant on some keys of another tenant's map.
 *
 * @param id unique among the grants on the map for all time
 * @param grantee who may
 * @param granteeNumber that tenant's number: a later tenant of the same name inherits nothing
 * @param createdAt when it was given, or given anew with other rights
 * @param expiresAt from when on it is void; null for never
 * @param grantedBy who gave it, as the audit trail names it: {@code operator@10.0.0.1}, {@code
 *     tenant:acme/id of the access key}
 */
public record Grant(
    String id,
    TenantName grantee,
    int granteeNumber,
    Scope scope,
    Rights rights,
    Instant createdAt,
    @Nullable Instant expiresAt,
    String grantedBy) {
  /** Returns whether the grant has expired. */
  public boolean hasExpired(Instant now) {
    return expiresAt != null && !now.isBefore(expiresAt);
  }
}
