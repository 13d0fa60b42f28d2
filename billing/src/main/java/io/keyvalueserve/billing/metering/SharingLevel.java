package io.keyvalueserve.billing.metering;

/**
 * The level at which a tenant shared what it used with others (seed 004, section 2.3: sharing level
 * and granularity). Codes and labels are stored: they never change their meaning.
 */
public enum SharingLevel {
  /** Shared with other tenants. */
  SHARED(1, "shared"),
  /** Used on a map that is reserved for the tenant. */
  RESERVED_MAP(2, "reservedMap"),
  /** Used on a member that is reserved for the tenant. */
  RESERVED_MEMBER(3, "reservedMember");

  private final int code;
  private final String label;

  SharingLevel(int code, String label) {
    this.code = code;
    this.label = label;
  }

  /** Its number in what is stored. */
  public int code() {
    return code;
  }

  /** Its name for people and programs. */
  public String label() {
    return label;
  }

  /**
   * @throws IllegalArgumentException if no level has the code
   */
  public static SharingLevel ofCode(int code) {
    for (SharingLevel level : values()) {
      if (level.code == code) {
        return level;
      }
    }
    throw new IllegalArgumentException("no sharing level has the code " + code);
  }
}
