package io.keyvalueserve.grid.external;

/** Thrown when a map names a store that does not exist. The message is for the operator. */
final class NoStoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoStoreException(String message) {
    super(message, null, false, false);
  }
}
