/**
 * Grants: what a tenant may do with another tenant's map.
 *
 * <p>A {@link io.keyvalueserve.tenancy.grant.Grant} gives {@link
 * io.keyvalueserve.tenancy.grant.Rights} on a {@link io.keyvalueserve.tenancy.grant.Scope}: the
 * whole map, the keys that begin with a text, or one key. All grants on a map are one record
 * ({@link io.keyvalueserve.tenancy.grant.MapGrants}), changed by {@link
 * io.keyvalueserve.tenancy.grant.Grants} and known to each member through its {@link
 * io.keyvalueserve.tenancy.grant.GrantDirectory}. A door asks that once for each session and map,
 * and then its {@link io.keyvalueserve.tenancy.grant.MapAccess} for each key.
 *
 * <p>The model is the one of KeyValueServe (seed 004, section 2.3: access down to single keys of
 * shared maps).
 */
@NullMarked
package io.keyvalueserve.tenancy.grant;

import org.jspecify.annotations.NullMarked;
