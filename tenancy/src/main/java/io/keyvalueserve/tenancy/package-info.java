/**
 * Tenancy: who a tenant is, with which access keys it proves it, and which of its sessions may go
 * on.
 *
 * <p>Pure logic over ports. Nothing here knows a network, a protocol or a key-value engine, so
 * every rule can be tested with a plain map for a store and a hand-turned clock. The chapter reads
 * in this order: {@link io.keyvalueserve.tenancy.TenantName} and {@link
 * io.keyvalueserve.tenancy.Identity} (the words), {@link io.keyvalueserve.tenancy.Authenticator}
 * (how a door asks who is there), {@link io.keyvalueserve.tenancy.SessionRegistry} (how a door is
 * told that somebody has to leave).
 *
 * <p>The model is the one of KeyValueServe (seed 004, section 2.3: multi-tenancy model).
 */
@NullMarked
package io.keyvalueserve.tenancy;

import org.jspecify.annotations.NullMarked;
