package io.keyvalueserve.journal;

import org.jspecify.annotations.Nullable;

/** The disk is full: nothing was appended; appends succeed again once there is space. */
public final class JournalFullException extends JournalException {
  JournalFullException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
