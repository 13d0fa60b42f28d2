package io.keyvalueserve.billing.spending;

import io.keyvalueserve.tenancy.RevisionedStore;
import io.keyvalueserve.tenancy.TenantName;

/** Where spend caps are kept, by their tenants' names. */
public interface CapStore extends RevisionedStore<TenantName, TenantCap> {}
