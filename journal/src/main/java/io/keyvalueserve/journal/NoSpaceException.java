package io.keyvalueserve.journal;

import java.io.IOException;

/** The disk is full, or its owner's quota is used up. */
public final class NoSpaceException extends IOException {
  /** A disk that has no room for what the message names. */
  public NoSpaceException(String message) {
    super(message);
  }
}
