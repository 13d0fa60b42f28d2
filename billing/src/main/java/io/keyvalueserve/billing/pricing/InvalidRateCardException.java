package io.keyvalueserve.billing.pricing;

/** A rate card that cannot be. The message names the field, shows its value and says the remedy. */
public final class InvalidRateCardException extends IllegalArgumentException {
  private static final int MOST_CHARACTERS_SHOWN = 80;

  private final String field;
  private final String rest;

  /**
   * @param field which field, as a path: {@code rates[1].per}
   * @param value what it is; it is shortened in the message
   * @param remedy what it has to be
   */
  public InvalidRateCardException(String field, Object value, String remedy) {
    this(field, " is wrong: " + shown(String.valueOf(value)) + "; " + remedy);
  }

  private InvalidRateCardException(String field, String rest) {
    super("rate card: " + field + rest);
    this.field = field;
    this.rest = rest;
  }

  /** Returns the field that is invalid. */
  public String field() {
    return field;
  }

  /** Returns this exception for a field within another one. */
  InvalidRateCardException within(String outer) {
    return new InvalidRateCardException(outer + "." + field, rest);
  }

  static void require(boolean holds, String field, Object value, String remedy) {
    if (!holds) {
      throw new InvalidRateCardException(field, value, remedy);
    }
  }

  private static String shown(String value) {
    return value.length() <= MOST_CHARACTERS_SHOWN
        ? value
        : value.substring(0, MOST_CHARACTERS_SHOWN) + "...";
  }
}
