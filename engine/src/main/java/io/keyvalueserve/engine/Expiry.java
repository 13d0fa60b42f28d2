package io.keyvalueserve.engine;

/**
 * The expiry of an entry, as one {@code long}: milliseconds since 1970 if positive, or one of the
 * constants. A time that has passed removes the entry at once.
 */
public final class Expiry {
  /** Never. */
  public static final long NONE = 0;

  /** The expiry that the entry had before the command; never, if there was no entry. */
  public static final long KEEP = -1;

  private Expiry() {}

  /** Returns whether an entry with this expiry has expired by now. */
  public static boolean hasPassed(long expireAtMillis, long nowMillis) {
    return expireAtMillis > 0 && expireAtMillis <= nowMillis;
  }
}
