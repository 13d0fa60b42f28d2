package io.keyvalueserve.tenancy;

/** The states of a tenant. The codes are stored: they never change their meaning. */
public enum TenantState {
  /** Its sessions are served. */
  ACTIVE(1),
  /** Nobody gets in; its data stays. */
  SUSPENDED(2),
  /** Nobody gets in; its data is being removed. */
  DELETING(3),
  /**
   * The tenant is gone. The record stays as a tombstone, so that an old copy of the catalogue
   * cannot bring the tenant back.
   */
  DELETED(4);

  private final int code;

  TenantState(int code) {
    this.code = code;
  }

  /** The stored form. */
  public int code() {
    return code;
  }

  /**
   * @throws IllegalArgumentException if no state has the code
   */
  public static TenantState ofCode(int code) {
    for (TenantState state : values()) {
      if (state.code == code) {
        return state;
      }
    }
    throw new IllegalArgumentException("no tenant state has the code " + code);
  }
}
