package io.keyvalueserve.memory;

/** Processors cannot be had as they were asked for. The message names the remedy. */
public final class ProcessorsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProcessorsException(String message) {
    super(message);
  }

  ProcessorsException(String message, Throwable cause) {
    super(message, cause);
  }
}
