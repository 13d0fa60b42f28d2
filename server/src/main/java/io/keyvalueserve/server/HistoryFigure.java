package io.keyvalueserve.server;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageQuantities;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The figures of a tenant's history. Members send them to each other in this order. */
public enum HistoryFigure {
  /** Operations of all kinds. */
  OPERATIONS(
      0,
      "operationsPerSecond",
      List.of(
          Measure.READS,
          Measure.WRITES,
          Measure.DELETES,
          Measure.QUERIES,
          Measure.LOCKS,
          Measure.TRANSACTIONS)),
  READS(1, "readsPerSecond", List.of(Measure.READS)),
  /** Operations that store or remove something. */
  WRITES(2, "writesPerSecond", List.of(Measure.WRITES, Measure.DELETES)),
  BYTES_IN(3, "bytesInPerSecond", List.of(Measure.BYTES_IN)),
  BYTES_OUT(4, "bytesOutPerSecond", List.of(Measure.BYTES_OUT)),
  THROTTLED(5, "throttledPerSecond", List.of(Measure.THROTTLED)),
  REFUSED(6, "refusedPerSecond", List.of(Measure.REFUSED)),
  /** Bytes of entries in memory, each entry counted once. */
  MEMORY(7, "memoryBytes", List.of(Measure.RESIDENT_BYTES)),
  CONNECTIONS(8, "connections", List.of(Measure.CONNECTIONS)),
  /** Entries, each counted once. Ledgers do not have them. */
  ENTRIES(9, "entries", List.of());

  /** The number of figures. */
  static final int COUNT = values().length;

  private final int index;
  private final String label;
  private final List<Measure> measures;

  HistoryFigure(int index, String label, List<Measure> measures) {
    this.index = index;
    this.label = label;
    this.measures = measures;
  }

  /** Returns its place in an array of {@link #COUNT}. */
  int index() {
    return index;
  }

  /** Returns the name in answers. */
  public String label() {
    return label;
  }

  /** Returns whether ledgers have it. */
  public boolean isInLedger() {
    return !measures.isEmpty();
  }

  /** Returns whether it says how much there was, and not how much happened in a second. */
  boolean isLevel() {
    return this == MEMORY || this == CONNECTIONS || this == ENTRIES;
  }

  /** Returns whether members count it for each copy of an entry. */
  boolean isOfCopies() {
    return this == MEMORY || this == ENTRIES;
  }

  /** Returns the quantity of this figure: a number, bytes, or for a level unit-seconds. */
  double of(UsageQuantities quantities) {
    double sum = 0;
    for (Measure measure : measures) {
      sum += quantities.of(measure);
    }
    return sum;
  }

  /** Returns the figure with a name. */
  public static Optional<HistoryFigure> ofLabel(String label) {
    return Stream.of(values()).filter(figure -> figure.label.equals(label)).findFirst();
  }
}
