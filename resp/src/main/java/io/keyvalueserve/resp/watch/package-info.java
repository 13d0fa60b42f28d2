/**
 * The view that a tenant has of its own requests at one member's Redis door: its slow log, its
 * latency events, its monitors, its pause and the settings of these.
 *
 * <p>Each tenant has its own {@link io.keyvalueserve.resp.watch.TenantDesk}; nothing here is shared
 * between tenants but the bound on the heap. A request that is neither slow nor watched costs a
 * look at two fields.
 */
@NullMarked
package io.keyvalueserve.resp.watch;

import org.jspecify.annotations.NullMarked;
