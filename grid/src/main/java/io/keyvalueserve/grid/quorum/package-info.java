/**
 * Decides whether a member may serve: only while a majority of the cluster's voters says so.
 *
 * <p>{@link io.keyvalueserve.grid.quorum.Quorum} is the protocol as pure logic, with times handed
 * in. {@link io.keyvalueserve.grid.quorum.QuorumKeeper} runs it on a Hazelcast member. {@link
 * io.keyvalueserve.maps.Lease} is all that the path of a request sees. ADR 44 explains the
 * protocol.
 */
@NullMarked
package io.keyvalueserve.grid.quorum;

import org.jspecify.annotations.NullMarked;
