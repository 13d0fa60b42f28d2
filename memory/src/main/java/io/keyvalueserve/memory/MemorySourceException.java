package io.keyvalueserve.memory;

/**
 * A source of pages cannot be opened on this machine as it is configured. The message names the
 * pool, the rule and the remedy.
 */
public final class MemorySourceException extends RuntimeException {

  MemorySourceException(String message) {
    super(message);
  }

  MemorySourceException(String message, Throwable cause) {
    super(message + " (" + cause.getMessage() + ")", cause);
  }
}
