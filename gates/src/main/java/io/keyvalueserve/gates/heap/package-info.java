/**
 * Accounts of the Java heap that a tenant can make a member keep: elements of queues, lists, sets,
 * multimaps, ring buffers and replicated maps, locks, open transactions, listeners and names of
 * objects.
 *
 * <p>A door reserves before it forwards a request. A member measures regularly how much is really
 * kept, and the measured figure replaces the reservations that are older. Members tell each other
 * their figures, so a door also knows how full the member is that a request goes to.
 *
 * <p>Pure logic: figures are handed in.
 */
@NullMarked
package io.keyvalueserve.gates.heap;

import org.jspecify.annotations.NullMarked;
