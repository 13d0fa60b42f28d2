package io.keyvalueserve.journal;

import org.jspecify.annotations.Nullable;

/**
 * The disk refused a write or a sync, so what the log holds from there on is unknown: nothing is
 * appended any more, and nothing that was not certain is said to be. Opening the log anew finds
 * out.
 */
public final class JournalFailedException extends JournalException {
  /** Creates an exception that says what failed, with file and offset. */
  public JournalFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
