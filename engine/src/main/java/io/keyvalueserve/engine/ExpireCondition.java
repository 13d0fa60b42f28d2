package io.keyvalueserve.engine;

/**
 * The condition for setting the expiry. An entry without one counts as expiring at the end of time.
 */
public enum ExpireCondition {
  ALWAYS,
  /** The entry has no expiry. */
  IF_NONE,
  /** The entry has an expiry. */
  IF_SOME,
  /** The new expiry is later. */
  IF_LATER,
  /** The new expiry is earlier. */
  IF_EARLIER,
  /** The entry has an expiry, and the new one is earlier: {@code XX LT} of Redis. */
  IF_SOME_AND_EARLIER
}
