package io.keyvalueserve.tenancy.grant;

import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.RevisionedStore;

/** The store of grants: one record for each map that has or had any. */
public interface GrantStore extends RevisionedStore<QualifiedName, MapGrants> {}
