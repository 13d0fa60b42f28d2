package io.keyvalueserve.billing.metering;

/**
 * The usage of one map by a tenant, as one member counted it in one minute.
 *
 * @param identity which event this is
 * @param quantities how much; something of it is not 0
 */
public record UsageEvent(UsageIdentity identity, UsageQuantities quantities) {
  /**
   * @throws IllegalArgumentException if nothing was used
   */
  public UsageEvent {
    if (quantities.isEmpty()) {
      throw new IllegalArgumentException(
          "a usage event has at least one quantity above 0: " + identity.text());
    }
  }
}
