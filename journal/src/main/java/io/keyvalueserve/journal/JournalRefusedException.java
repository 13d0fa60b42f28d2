package io.keyvalueserve.journal;

import org.jspecify.annotations.Nullable;

/**
 * The disk refused to make a file for a payload, for example because the process has too many open:
 * nothing was appended, and the journal goes on as before.
 */
public final class JournalRefusedException extends JournalException {
  JournalRefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
