package io.keyvalueserve.billing.spending;

/** A spend cap that cannot be. The message names the field, shows its value and says the remedy. */
public final class InvalidSpendLimitException extends IllegalArgumentException {
  private final String field;

  /**
   * @param field which field
   */
  public InvalidSpendLimitException(String field, String message) {
    super(message);
    this.field = field;
  }

  /** Returns the field that is invalid. */
  public String field() {
    return field;
  }
}
