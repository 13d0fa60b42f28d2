package io.keyvalueserve.grid.quorum;

import org.jspecify.annotations.Nullable;

/**
 * Asks a voter for its grant, and tells any member that its sender is alive.
 *
 * @param standing of the sender
 * @param sentNanos of the sender's clock
 * @param promise the last view that the sender's earlier life was in, while it waits to see whether
 *     this cluster goes on from there; null once it does
 */
public record QuorumAsk(Standing standing, long sentNanos, MembersView.@Nullable Stamp promise) {}
