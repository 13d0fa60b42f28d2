package io.keyvalueserve.gates.admission;

import io.keyvalueserve.tenancy.Limit;

/**
 * The resources that a tenant's limits on rates are about. The codes are sent: they never change
 * their meaning.
 */
public enum Resource {
  /** Key operations and commands. */
  OPERATIONS(1, "operations", Limit.OPERATIONS),
  /** Bytes read from the tenant's clients. */
  BYTES_IN(2, "bytes of requests", Limit.BYTES_IN),
  /** Bytes written to the tenant's clients. */
  BYTES_OUT(3, "bytes of answers", Limit.BYTES_OUT);

  private final int code;
  private final String text;
  private final Limit limit;

  Resource(int code, String text, Limit limit) {
    this.code = code;
    this.text = text;
    this.limit = limit;
  }

  /** Returns the name of the resource for people. */
  public String text() {
    return text;
  }

  /** Returns the limit of a tenant's quota that applies to this resource. */
  public Limit limit() {
    return limit;
  }

  /** The form that members send to each other. */
  public int code() {
    return code;
  }

  /**
   * @throws IllegalArgumentException if no resource has the code
   */
  public static Resource ofCode(int code) {
    for (Resource resource : values()) {
      if (resource.code == code) {
        return resource;
      }
    }
    throw new IllegalArgumentException("no resource has the code " + code);
  }
}
