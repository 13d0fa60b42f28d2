package io.keyvalueserve.server.http;

import io.keyvalueserve.maps.ChangeJournal;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/**
 * The merges of sides of an available cluster. The member that gives way counts merges and changes
 * that it could not bring. The members that own the keys on the other side count entries.
 */
final class MergeMetrics {
  private static final double MILLIS_PER_SECOND = 1e3;

  private MergeMetrics() {}

  static void register(MeterRegistry registry, ChangeJournal changes) {
    Gauge.builder("kvs.merge.open", changes, journal -> journal.isOpen() ? 1 : 0)
        .description("1 while changes are kept for a merge as members are lost, else 0")
        .register(registry);
    count(changes, "kvs.merges", ChangeJournal::givenWay)
        .description("Merges in which this member gave way to another side of the cluster")
        .register(registry);
    count(changes, "kvs.merge.taken", ChangeJournal::mergedTaken)
        .description("Values of another side that were stored here")
        .register(registry);
    count(changes, "kvs.merge.removed", ChangeJournal::mergedRemoved)
        .description("Entries removed here as another side had deleted them later")
        .register(registry);
    count(changes, "kvs.merge.discarded", ChangeJournal::mergedDiscarded)
        .description("Changes of another side that were older than those here")
        .register(registry);
    count(changes, "kvs.merge.failed", ChangeJournal::mergedFailed)
        .description("Changes of this member that could not be merged and are lost")
        .register(registry);
    count(changes, "kvs.merge.unnoted", ChangeJournal::overflows)
        .description("Changes for which there was no room, so that a merge does not know them")
        .register(registry);
    Gauge.builder("kvs.merge.last.time", changes, journal -> journal.mergedAt() / MILLIS_PER_SECOND)
        .description("When this member last took part in a merge, since 1970; 0 if never")
        .baseUnit("seconds")
        .register(registry);
  }

  private static FunctionCounter.Builder<ChangeJournal> count(
      ChangeJournal changes, String name, ToDoubleFunction<ChangeJournal> of) {
    return FunctionCounter.builder(name, changes, of);
  }
}
