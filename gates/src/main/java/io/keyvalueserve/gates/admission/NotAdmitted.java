package io.keyvalueserve.gates.admission;

/** Why a request is not served, though whoever asks may ask for it. */
public sealed interface NotAdmitted permits Throttled, OverCap {
  /**
   * When to try again: in so many milliseconds, 1 to 60,000; 0 if that is not foreseen, so that the
   * request is refused for good.
   */
  long retryAfterMillis();

  /** In words for the tenant. */
  String message();

  /** Whether it is refused for good, and not told to come later. */
  default boolean isRefused() {
    return retryAfterMillis() == 0;
  }
}
