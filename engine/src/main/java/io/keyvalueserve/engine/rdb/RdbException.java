package io.keyvalueserve.engine.rdb;

/** Says that bytes are not what the format has. It has no stack trace. */
public class RdbException extends Exception {
  private static final long serialVersionUID = 1L;

  RdbException(String message) {
    super(message, null, false, false);
  }
}
