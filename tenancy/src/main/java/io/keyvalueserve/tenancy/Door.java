package io.keyvalueserve.tenancy;

/** A way into the service. The label is what metrics and people call it. */
public enum Door {
  RESP("resp"),
  HAZELCAST("hazelcast"),
  HTTP("http"),
  POSTGRES("postgres");

  private final String label;

  Door(String label) {
    this.label = label;
  }

  /**
   * Returns the door with this label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Door ofLabel(String label) {
    for (Door door : values()) {
      if (door.label.equals(label)) {
        return door;
      }
    }
    throw new IllegalArgumentException("no door has the label '" + label + "'");
  }

  /** The name in metrics. */
  public String label() {
    return label;
  }
}
