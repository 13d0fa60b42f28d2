package io.keyvalueserve.billing.pricing;

/** Whether a minute is one of the peak hours. The labels are stored. */
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
