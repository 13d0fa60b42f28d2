package io.keyvalueserve.grid.ledger;

import io.keyvalueserve.billing.ledger.Posting;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import java.math.BigInteger;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The outcome of merging a tenant's ledger of one side of a split into that of the other side.
 *
 * @param taken the events that were appended
 * @param lost the events that could not be appended; some of them may be in the ledger all the same
 * @param corrections the corrections that only the side had that gave way: they are not made again
 */
public record MergedUsage(
    LedgerOwner owner,
    List<UsageEvent> taken,
    List<UsageEvent> lost,
    List<Posting.Correction> corrections) {
  public MergedUsage {
    taken = List.copyOf(taken);
    lost = List.copyOf(lost);
    corrections = List.copyOf(corrections);
  }

  /** Returns whether there is nothing to tell. */
  boolean isNothing() {
    return taken.isEmpty() && lost.isEmpty() && corrections.isEmpty();
  }

  /** Returns the sums of events for people: {@code reads=12 writes=3}. */
  public static String totals(List<UsageEvent> events) {
    Map<Measure, BigInteger> sums = new EnumMap<>(Measure.class);
    events.forEach(
        event ->
            event
                .quantities()
                .toMap()
                .forEach(
                    (measure, much) ->
                        sums.merge(measure, BigInteger.valueOf(much), BigInteger::add)));
    return sums.entrySet().stream()
        .map(each -> each.getKey().quantityLabel() + "=" + each.getValue())
        .collect(Collectors.joining(" "));
  }
}
