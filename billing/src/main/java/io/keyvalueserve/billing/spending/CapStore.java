package io.keyvalueserve.billing.spending;

import io.keyvalueserve.tenancy.RevisionedStore;
import io.keyvalueserve.tenancy.TenantName;

/** The store of spend caps, by their tenants' names. */
public interface CapStore extends RevisionedStore<TenantName, TenantCap> {}
