package io.keyvalueserve.grid.quorum;

/**
 * Answers a {@link QuorumAsk}.
 *
 * @param standing of the sender
 * @param askedNanos as it was asked, of the clock of the member that asked
 * @param isMember whether the sender's list has the member that asked
 * @param grants whether the member that asked may serve, as far as the sender decides
 * @param label the last view whose lost members have no grant of the sender any more
 * @param passed whether the sender has been in the view that was promised
 */
public record QuorumAnswer(
    Standing standing,
    long askedNanos,
    boolean isMember,
    boolean grants,
    long label,
    boolean passed) {}
