package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.JournalStatistics;

/**
 * What a member's log takes of its disk.
 *
 * @param statistics of about one moment
 * @param diskFull whether writes are refused as the disk is full
 * @param failed whether writes are refused until the member is started again
 */
public record LogFigures(JournalStatistics statistics, boolean diskFull, boolean failed) {}
