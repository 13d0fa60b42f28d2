package io.keyvalueserve.tenancy.audit;

/**
 * Counts since the trail was opened, read one after the other: not a snapshot of one instant.
 *
 * @param written events in the trail, notices included
 * @param dropped calls that were not taken because the hand-over was full
 * @param lost calls that were taken and could not be written
 * @param lastSequence the newest event's sequence, 0 if there is none
 */
public record AuditStatistics(long written, long dropped, long lost, long lastSequence) {}
