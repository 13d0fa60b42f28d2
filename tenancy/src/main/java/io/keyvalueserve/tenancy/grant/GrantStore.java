package io.keyvalueserve.tenancy.grant;

import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.RevisionedStore;

/** Where grants are kept: one record for each map that has or had any. */
public interface GrantStore extends RevisionedStore<QualifiedName, MapGrants> {}
