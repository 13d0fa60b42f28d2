package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.JournalStatistics;
import io.keyvalueserve.journal.ScrubFigures;

/**
 * The figures of a member's log on its disk.
 *
 * @param statistics of about one moment
 * @param diskFull whether writes are refused as the disk is full
 * @param failed whether writes are refused until the member is started again
 * @param scrub what was read to find damage, and what came of it
 */
public record LogFigures(
    JournalStatistics statistics, boolean diskFull, boolean failed, ScrubFigures scrub) {}
