/**
 * Admission: how much of each resource a tenant may use, on all members together.
 *
 * <p>A door asks its {@link io.keyvalueserve.gates.admission.Gate}, which is a {@link
 * io.keyvalueserve.gates.admission.TokenBucket} on this member alone and asks nobody. What moves is
 * the bucket's rate: {@link io.keyvalueserve.gates.admission.MemberShares} reports what is asked
 * for here, {@link io.keyvalueserve.gates.admission.ShareCoordinator} on the oldest member answers
 * with shares, divided by {@link io.keyvalueserve.gates.admission.ShareDivision}. A limit is never
 * passed for the sake of being reached: where members cannot speak to each other they admit less.
 *
 * <p>Pure logic: time is handed in, messages are handed in and out. Whoever wires it draws a new
 * {@code ShareCoordinator} on the oldest member whenever that becomes the oldest, hands its own
 * reports to it as well, and tells every member when the oldest one is another.
 */
@NullMarked
package io.keyvalueserve.gates.admission;

import org.jspecify.annotations.NullMarked;
