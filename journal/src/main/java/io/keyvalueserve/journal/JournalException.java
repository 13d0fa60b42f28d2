package io.keyvalueserve.journal;

import org.jspecify.annotations.Nullable;

/** The journal cannot do what was asked; the message names file and offset where there is one. */
public sealed class JournalException extends RuntimeException
    permits JournalFailedException,
        JournalFullException,
        JournalRefusedException,
        DirectoryRefusedException {
  JournalException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
