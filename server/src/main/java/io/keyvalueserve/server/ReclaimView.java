package io.keyvalueserve.server;

import io.keyvalueserve.gates.reclaim.ReclaimConfig;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.journal.spill.SpillStatistics;
import io.keyvalueserve.maps.reclaim.MemoryReclaimer.Held;
import io.keyvalueserve.maps.reclaim.MemoryReclaimer.Total;
import io.keyvalueserve.maps.reclaim.ReclaimHistory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which a member reclaims memory, and what it has reclaimed.
 *
 * @param spill what values that left memory take of the disk; null if they do not leave it
 * @param compactions how often memory was compacted, by which {@code compactedBytes} of pages came
 *     free
 * @param totals since the member started
 * @param held whose writes were made to wait meanwhile, since the member started
 * @param latest events, the last one first
 */
public record ReclaimView(
    MemberInfo member,
    ReclaimConfig config,
    @Nullable SpillStatistics spill,
    long compactions,
    long compactedBytes,
    List<Total> totals,
    List<Held> held,
    List<ReclaimHistory.Event> latest) {}
