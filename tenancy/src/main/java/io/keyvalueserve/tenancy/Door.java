package io.keyvalueserve.tenancy;

/** A way into the service. The label is what metrics and people call it. */
public enum Door {
  RESP("resp"),
  HAZELCAST("hazelcast"),
  HTTP("http");

  private final String label;

  Door(String label) {
    this.label = label;
  }

  /** The name in metrics. */
  public String label() {
    return label;
  }
}
