package io.keyvalueserve.maps.query;

/** The parts of entries that a client asks for. The numbers are sent between members. */
public enum RowKind {
  KEYS(1),
  VALUES(2),
  ENTRIES(3);

  private final int number;

  RowKind(int number) {
    this.number = number;
  }

  /** Returns the number that is sent. */
  int number() {
    return number;
  }

  /** Returns the kind with a number. */
  static RowKind of(int number) {
    return number == KEYS.number ? KEYS : number == VALUES.number ? VALUES : ENTRIES;
  }

  /** Returns whether rows have keys. */
  public boolean hasKeys() {
    return this != VALUES;
  }

  /** Returns whether rows have values. */
  public boolean hasValues() {
    return this != KEYS;
  }
}
