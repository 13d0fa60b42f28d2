package io.keyvalueserve.postgres.system;

/** The number of a table, a type or a schema, which is shown as its name. */
final class RegName extends Number {
  private static final long serialVersionUID = 1;

  private final long oid;
  private final String name;

  RegName(long oid, String name) {
    this.oid = oid;
    this.name = name;
  }

  @Override
  public int intValue() {
    return (int) oid;
  }

  @Override
  public long longValue() {
    return oid;
  }

  @Override
  public float floatValue() {
    return oid;
  }

  @Override
  public double doubleValue() {
    return oid;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RegName that && oid == that.oid;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(oid);
  }

  @Override
  public String toString() {
    return name;
  }
}
