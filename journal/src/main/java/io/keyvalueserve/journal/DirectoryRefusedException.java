package io.keyvalueserve.journal;

import org.jspecify.annotations.Nullable;

/** The directory is not this member's log, or cannot be used now; nothing in it was changed. */
public final class DirectoryRefusedException extends JournalException {
  /** The reason for a refusal. */
  public enum Reason {
    /** Files are there, but no log. */
    NO_LOG,
    /** The log of another cluster. */
    OTHER_CLUSTER,
    /** The log of another member. */
    OTHER_MEMBER,
    /** Written by a version whose format or payloads are not known here. */
    OTHER_FORMAT,
    /** A process uses it. */
    LOCKED,
    /** It cannot be written. */
    READ_ONLY,
    /** The file that says whose log it is cannot be read. */
    DAMAGED,
    /** A file is there that is no part of a log. */
    STRANGE_FILE
  }

  private final Reason reason;

  /** A refusal, with a message that names the directory and the remedy. */
  public DirectoryRefusedException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** Returns the reason. */
  public Reason reason() {
    return reason;
  }
}
