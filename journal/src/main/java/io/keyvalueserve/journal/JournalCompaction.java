package io.keyvalueserve.journal;

/**
 * The result of compacting a whole log.
 *
 * @param before the figures before
 * @param after and after it
 * @param report what was found when the log was opened for it
 */
public record JournalCompaction(
    JournalStatistics before, JournalStatistics after, RecoveryReport report) {}
