package io.keyvalueserve.tenancy;

/**
 * A name that breaks its rule. The message names the field, shows the value and says the remedy.
 */
public final class InvalidNameException extends IllegalArgumentException {
  private static final int MOST_CHARACTERS_SHOWN = 80;

  private final String field;

  /**
   * @param field what the name is of, as the user knows it: {@code tenant}, {@code map}
   * @param value the offending text; it is shortened in the message
   * @param remedy what to write instead
   */
  public InvalidNameException(String field, String value, String remedy) {
    super("invalid " + field + " name '" + shown(value) + "': " + remedy);
    this.field = field;
  }

  /**
   * Returns the kind of thing that has the name, as the user knows it: {@code tenant}, {@code map}.
   */
  public String field() {
    return field;
  }

  private static String shown(String value) {
    return value.length() <= MOST_CHARACTERS_SHOWN
        ? value
        : value.substring(0, MOST_CHARACTERS_SHOWN) + "...";
  }
}
