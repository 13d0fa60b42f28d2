package io.keyvalueserve.tenancy;

/**
 * The identity that a session speaks for: a tenant, and the access key by which it proved that.
 *
 * <p>Only an {@link Authenticator} hands one out. Everything behind a door takes an identity, never
 * a name that somebody typed.
 *
 * @param tenant the tenant's name
 * @param number the tenant's number: unique for all time, 1 or more, so that a tenant created anew
 *     under an old name is not mistaken for the old one
 * @param keyId the access key's public half
 */
public record Identity(TenantName tenant, int number, String keyId) {
  public Identity {
    if (number < 1) {
      throw new IllegalArgumentException("tenant number must be at least 1: number=" + number);
    }
  }
}
