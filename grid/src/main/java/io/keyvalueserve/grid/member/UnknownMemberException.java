package io.keyvalueserve.grid.member;

import java.io.IOException;

/** Thrown if a peer at the member port proves another cluster secret. */
public final class UnknownMemberException extends IOException {
  private static final long serialVersionUID = 1L;

  UnknownMemberException(String message) {
    super(message);
  }
}
