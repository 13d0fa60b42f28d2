/**
 * Reclaim: who gives up memory when a member has too little of it, and which records. What the
 * paper calls garbage collection (seed 004, section 2.2): storage is flushed first where its tenant
 * is inactive, and by recency and frequency of use.
 *
 * <p>{@link io.keyvalueserve.gates.reclaim.TenantActivity} says how active a tenant is, {@link
 * io.keyvalueserve.gates.reclaim.ReclaimPlanner} who gives up how much and why, {@link
 * io.keyvalueserve.gates.reclaim.RecordScore} and {@link
 * io.keyvalueserve.gates.reclaim.VictimSample} which records of that tenant, {@link
 * io.keyvalueserve.gates.reclaim.ReclaimReport} what came of it. Why these: {@code
 * docs/adr/0024-reclaim.md}.
 *
 * <p>Pure logic: time and figures are handed in, and whoever wires it carries the plan out.
 */
@NullMarked
package io.keyvalueserve.gates.reclaim;

import org.jspecify.annotations.NullMarked;
