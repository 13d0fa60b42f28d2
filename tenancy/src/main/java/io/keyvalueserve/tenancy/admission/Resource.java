package io.keyvalueserve.tenancy.admission;

/** What a tenant's limits are about. The codes are sent: they never change their meaning. */
public enum Resource {
  /** Key operations and commands. */
  OPERATIONS(1),
  /** Bytes read from the tenant's clients. */
  BYTES_IN(2),
  /** Bytes written to the tenant's clients. */
  BYTES_OUT(3);

  private final int code;

  Resource(int code) {
    this.code = code;
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
