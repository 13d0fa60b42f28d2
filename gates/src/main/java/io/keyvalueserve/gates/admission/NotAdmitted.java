package io.keyvalueserve.gates.admission;

/** The reason why a request is not served although the client has the right to send it. */
public sealed interface NotAdmitted permits Throttled, OverCap {
  /**
   * Returns the milliseconds after which to try again: 1 to 60,000, or 0 if no such time is
   * foreseen and the request is refused for good.
   */
  long retryAfterMillis();

  /** Returns the reason in words for the tenant. */
  String message();

  /** Returns whether the request is refused for good, with no time to try again. */
  default boolean isRefused() {
    return retryAfterMillis() == 0;
  }
}
