package io.keyvalueserve.tenancy;

import java.util.regex.Pattern;

/**
 * The name by which a tenant is known everywhere: a label of 1 to 63 lower-case letters, digits and
 * hyphens that starts and ends with a letter or a digit (a DNS label, RFC 1035, so that it can be
 * part of a host name).
 *
 * <p>It can hold neither {@code /} nor {@code :} nor {@code @}; the names of maps are built on
 * that.
 */
public record TenantName(String value) implements Comparable<TenantName> {
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  /**
   * @throws InvalidNameException if the value is not such a label
   */
  public TenantName {
    if (!isValid(value)) {
      throw new InvalidNameException(
          "tenant",
          value,
          "use 1 to 63 lower-case letters, digits and hyphens, starting and ending with a letter or a digit");
    }
  }

  /**
   * Returns whether the text could name a tenant. This does not tell whether such a tenant exists.
   */
  public static boolean isValid(String text) {
    return LABEL.matcher(text).matches();
  }

  @Override
  public int compareTo(TenantName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
