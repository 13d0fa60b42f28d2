package io.keyvalueserve.billing.spending;

/** The action on requests that a spend cap does not admit. The labels are stored. */
public enum SpendAction {
  /**
   * They are told to come later. Part of the cap may be spent at once, the rest comes in evenly
   * until the period ends, so the tenant is slowed down and not cut off.
   */
  THROTTLE("throttle"),
  /** The cap may be spent at once; when it is used up they are refused until the period ends. */
  REFUSE("refuse");

  private final String label;

  SpendAction(String label) {
    this.label = label;
  }

  /** Its name for people and programs. */
  public String label() {
    return label;
  }

  /**
   * @throws InvalidSpendLimitException if no action has the label
   */
  public static SpendAction ofLabel(String label) {
    for (SpendAction action : values()) {
      if (action.label.equals(label)) {
        return action;
      }
    }
    throw new InvalidSpendLimitException("action", "'action' is throttle or refuse");
  }
}
