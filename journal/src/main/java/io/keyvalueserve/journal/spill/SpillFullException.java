package io.keyvalueserve.journal.spill;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The area, or the disk below it, has no room for a value; nothing was written of it. */
public final class SpillFullException extends IOException {
  private static final long serialVersionUID = 1;

  SpillFullException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
