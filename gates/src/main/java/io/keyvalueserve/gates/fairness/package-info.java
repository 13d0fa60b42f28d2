/**
 * Fairness: whose requests a saturated thread serves next, and who made whom wait.
 *
 * <p>Each thread that serves tenants has a {@link
 * io.keyvalueserve.gates.fairness.DeficitRoundRobin} of its own, which shares its time by weight,
 * measured in nanoseconds and not in requests or connections. It counts in {@link
 * io.keyvalueserve.gates.fairness.WaitMeter}s, which any thread may read as {@link
 * io.keyvalueserve.gates.fairness.Waits}.
 *
 * <p>Pure logic: time is handed in.
 */
@NullMarked
package io.keyvalueserve.gates.fairness;

import org.jspecify.annotations.NullMarked;
