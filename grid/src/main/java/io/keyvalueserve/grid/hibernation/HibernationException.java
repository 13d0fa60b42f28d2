package io.keyvalueserve.grid.hibernation;

/** Tells why a tenant cannot leave memory, or come back, in words for an operator. */
public final class HibernationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HibernationException(String message) {
    super(message);
  }

  HibernationException(String message, Throwable cause) {
    super(message, cause);
  }
}
