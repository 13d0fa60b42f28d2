package io.keyvalueserve.billing.pricing;

/** The time of day for prices: peak or off-peak. The labels are stored. */
public enum TimeBand {
  PEAK("peak"),
  OFF_PEAK("offPeak");

  private final String label;

  TimeBand(String label) {
    this.label = label;
  }

  /** Its name for people and programs. */
  public String label() {
    return label;
  }
}
