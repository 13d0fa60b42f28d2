/**
 * The grid: a Hazelcast member, extended through its own seams, as KeyValueServe's engine.
 *
 * <p>{@link io.keyvalueserve.grid.GridMember} is the way in. Below it: {@code space} (tenants' key
 * spaces for the other doors), {@code door} (the door for Hazelcast clients), {@code member} (how
 * members know each other), {@code catalogue} (where tenants are kept), {@code ledger} (what they
 * used).
 */
@NullMarked
package io.keyvalueserve.grid;

import org.jspecify.annotations.NullMarked;
