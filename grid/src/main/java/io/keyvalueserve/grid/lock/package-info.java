/**
 * Tells who holds locks on keys, and releases a lock without its holder.
 *
 * <p>A lock of a Hazelcast client ends when its client unlocks it, when its lease is over, when the
 * client's session ends, when its member leaves, or by force ({@code MapLocks}). On a key of
 * another tenant its lease is 60 seconds at most ({@code GrantedMaps} in {@code hazelcast}). A lock
 * of a transaction ends with the transaction. Forcing it off ends the whole transaction ({@code
 * RunningTransactions} in {@code space}).
 */
@NullMarked
package io.keyvalueserve.grid.lock;

import org.jspecify.annotations.NullMarked;
