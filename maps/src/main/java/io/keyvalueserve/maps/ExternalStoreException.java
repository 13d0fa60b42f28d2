package io.keyvalueserve.maps;

/**
 * Thrown when the external store behind a map cannot be asked, or does not take an entry. The
 * message is for the client.
 */
public final class ExternalStoreException extends RefusedException {
  private static final long serialVersionUID = 1;

  private final boolean passing;

  private ExternalStoreException(String message, boolean passing) {
    super(message);
    this.passing = passing;
  }

  /** Returns that the store cannot be asked at the moment. */
  public static ExternalStoreException unreachable(String why) {
    return new ExternalStoreException(why, true);
  }

  /** Returns that the store does not take an entry, however often it is tried. */
  public static ExternalStoreException refused(String why) {
    return new ExternalStoreException(why, false);
  }

  /** Returns whether it may help to try again later. */
  public boolean isPassing() {
    return passing;
  }
}
