package io.keyvalueserve.billing.metering;

/** A receiver of usage: a meter, or a tab that is settled with one later. */
@FunctionalInterface
public interface UsageSink {
  /**
   * Adds usage.
   *
   * @param quantity in the measure's unit, 0 or more
   */
  void add(Measure measure, long quantity);
}
