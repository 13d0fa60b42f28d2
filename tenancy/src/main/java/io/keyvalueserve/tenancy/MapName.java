package io.keyvalueserve.tenancy;

/**
 * The name of a map within its tenant: 1 to 255 characters, none of them a slash or a control
 * character. (The slash joins tenant and map in a qualified name.) Colons and at signs are letters
 * like others: {@code spring:session:sessions}.
 */
public record MapName(String value) {
  private static final int MOST_CHARACTERS = 255;

  /** The map a session uses until it selects another. */
  public static final MapName DEFAULT = new MapName("default");

  /**
   * @throws InvalidNameException if the value is not such a name
   */
  public MapName {
    if (!isValid(value)) {
      throw new InvalidNameException(
          "map",
          value,
          "use 1 to " + MOST_CHARACTERS + " characters, without '/' and control characters");
    }
  }

  /** Returns whether the text could name a map. */
  public static boolean isValid(String text) {
    return !text.isEmpty()
        && text.length() <= MOST_CHARACTERS
        && text.chars().noneMatch(c -> c == '/' || Character.isISOControl(c));
  }

  @Override
  public String toString() {
    return value;
  }
}
