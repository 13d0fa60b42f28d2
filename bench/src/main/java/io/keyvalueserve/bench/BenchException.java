package io.keyvalueserve.bench;

/** The bench cannot measure. The message says what is missing and what to do. */
final class BenchException extends RuntimeException {
  BenchException(String message) {
    super(message);
  }

  BenchException(String message, Throwable cause) {
    super(message, cause);
  }
}
