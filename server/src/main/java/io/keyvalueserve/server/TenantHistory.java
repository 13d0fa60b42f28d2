package io.keyvalueserve.server;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The usage of a tenant over time, on all members together.
 *
 * @param from the beginning of the first step
 * @param to the end of the last step
 * @param stepSeconds the length of a step
 * @param isFromLedger whether it is from the ledger, and not from the memory of the members
 * @param points the mean of each figure, by the time at which a step begins. A step in which the
 *     tenant used and held nothing is not there, nor is a figure that is 0
 * @param since the earliest time that a member remembers; null if it is from the ledger
 * @param silent the addresses of members that gave no answer: their part is missing
 */
public record TenantHistory(
    Instant from,
    Instant to,
    int stepSeconds,
    boolean isFromLedger,
    SortedMap<Instant, Map<HistoryFigure, Double>> points,
    @Nullable Instant since,
    List<String> silent) {}
