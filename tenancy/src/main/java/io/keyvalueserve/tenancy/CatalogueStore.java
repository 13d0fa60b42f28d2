package io.keyvalueserve.tenancy;

/** The store of the catalogue: the tenants' records by their names. */
public interface CatalogueStore extends RevisionedStore<TenantName, Tenant> {
  /** A tenant number that was never given before and never will be again. */
  int nextTenantNumber();
}
