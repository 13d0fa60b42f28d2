package io.keyvalueserve.grid.quorum;

/** Answers a {@link QuorumAsk}: the member that was asked is in no cluster yet. */
public record QuorumStarting() {}
