package io.keyvalueserve.tenancy;

import java.time.Instant;
import java.util.List;

/**
 * A tenant's record in the catalogue. Immutable: each change makes a record of the next revision.
 *
 * @param name its name
 * @param number its number: 1 or more, unique for all time
 * @param state what it may do at present
 * @param createdAt when it was created
 * @param keys its access keys that were not revoked, oldest first
 * @param quota how much it may use
 * @param revision 1 for the first record under a name, one more with each change, on through
 *     deletion and creation anew: of two copies of the catalogue the higher revision of a name is
 *     the true one
 */
public record Tenant(
    TenantName name,
    int number,
    TenantState state,
    Instant createdAt,
    List<AccessKey> keys,
    Quota quota,
    long revision) {
  public Tenant {
    keys = List.copyOf(keys);
  }
}
