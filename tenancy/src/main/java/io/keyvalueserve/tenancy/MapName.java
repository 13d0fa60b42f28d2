package io.keyvalueserve.tenancy;

/**
 * The name of a map within its tenant: 1 to 200 characters, none of them a slash, a colon, an at
 * sign or a control character. (The slash joins tenant and map in a qualified name.)
 */
public record MapName(String value) {
  private static final int MOST_CHARACTERS = 200;

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
          "use 1 to "
              + MOST_CHARACTERS
              + " characters, without '/', ':', '@' and control characters");
    }
  }

  /** Whether the text could name a map. */
  public static boolean isValid(String text) {
    return !text.isEmpty()
        && text.length() <= MOST_CHARACTERS
        && text.chars()
            .noneMatch(c -> c == '/' || c == ':' || c == '@' || Character.isISOControl(c));
  }

  @Override
  public String toString() {
    return value;
  }
}
