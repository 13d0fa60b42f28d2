/**
 * The Java heap that tenants may use on a member, in two accounts.
 *
 * <p>{@code MemberHeap} bounds the bytes that requests and answers hold while they wait: 0.6 of the
 * heap for all tenants. Doors take shares of it: waiting requests of Hazelcast clients a quarter
 * ({@code WaitingLimit}), large values of Redis clients a quarter, one value a sixteenth ({@code
 * ConfigReader}), bodies of HTTP requests an eighth ({@code EntryRoutes}).
 *
 * <p>{@code HeapLedger} bounds what is kept: an eighth of the heap for a tenant, a third for all
 * ({@code HeapLimits}). These are accounts of the Java heap that a tenant can make a member keep:
 * elements of queues, lists, sets, multimaps, ring buffers and replicated maps, locks, open
 * transactions, listeners and names of objects.
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
