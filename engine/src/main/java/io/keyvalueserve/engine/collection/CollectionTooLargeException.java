package io.keyvalueserve.engine.collection;

import java.io.Serial;

/** A collection in one piece would take more bytes than it may. */
public final class CollectionTooLargeException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final long bytes;

  CollectionTooLargeException(long bytes) {
    super("a collection of " + bytes + " bytes", null, false, false);
    this.bytes = bytes;
  }

  long bytes() {
    return bytes;
  }
}
