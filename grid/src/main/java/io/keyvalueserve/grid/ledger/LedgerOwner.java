package io.keyvalueserve.grid.ledger;

import io.keyvalueserve.tenancy.TenantName;

/**
 * The owner of a ledger. A ledger stays when its tenant is deleted. A later tenant of the same name
 * has another number, and so another ledger.
 *
 * @param tenant the name
 * @param number the tenant's number, which no other tenant ever has
 */
public record LedgerOwner(TenantName tenant, int number) {}
