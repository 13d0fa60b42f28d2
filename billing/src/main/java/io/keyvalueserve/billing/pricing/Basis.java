package io.keyvalueserve.billing.pricing;

import io.keyvalueserve.billing.metering.Measure;

/**
 * The basis on which a measure is charged. The labels are stored: they never change their meaning.
 *
 * <p>The paper charges amount and duration; volume is what others charge for memory (GB-hours).
 */
public enum Basis {
  /**
   * The amount. For a flow, this is the whole quantity. For a level, it is the most that was held
   * in any minute of a local day, for each day, on all members and maps together.
   */
  AMOUNT("amount"),
  /** The duration: the minutes in which there was any, on whatever member and map. */
  DURATION("duration"),
  /** The volume of a level: the amount multiplied by the time, in unit-seconds. */
  VOLUME("volume");

  private final String label;

  Basis(String label) {
    this.label = label;
  }

  /** Its name for people and programs. */
  public String label() {
    return label;
  }

  /**
   * The unit in which it counts a measure, in the words of FOCUS 1.2 (unit format): {@code B},
   * {@code Minutes}, {@code B-Seconds}.
   */
  public String unit(Measure measure) {
    return switch (this) {
      case AMOUNT -> measure.unit();
      case DURATION -> "Minutes";
      case VOLUME -> singular(measure.unit()) + "-Seconds";
    };
  }

  private static String singular(String unit) {
    return unit.endsWith("s") ? unit.substring(0, unit.length() - 1) : unit;
  }

  /**
   * @throws IllegalArgumentException if no basis has the label
   */
  public static Basis ofLabel(String label) {
    for (Basis basis : values()) {
      if (basis.label.equals(label)) {
        return basis;
      }
    }
    throw new IllegalArgumentException("no basis is called '" + label + "'");
  }
}
