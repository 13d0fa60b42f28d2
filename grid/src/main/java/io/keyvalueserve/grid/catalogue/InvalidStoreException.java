package io.keyvalueserve.grid.catalogue;

/** An external store, or a map's use of one, that cannot be so. The message says the remedy. */
public final class InvalidStoreException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String field;

  /**
   * @param field the field that is wrong, as the HTTP API names it
   * @param message names it too, and says what it can be
   */
  public InvalidStoreException(String field, String message) {
    super(message);
    this.field = field;
  }

  /** Returns the field that is wrong, as the HTTP API names it. */
  public String field() {
    return field;
  }
}
