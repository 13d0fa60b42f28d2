package io.keyvalueserve.snapshots;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A failure of a snapshot or of its repository. The message is for a person: it has at most 400
 * characters, names the remedy, and holds no keys, no credentials and no data.
 */
public final class SnapshotException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST = 400;

  /** The kinds of failures, by what can be done about them. */
  public enum Kind {
    /** Mend an address, a name or a setting: {@link #field} says which. */
    INVALID,
    /** Create the repository: its directory or bucket does not exist. */
    NO_REPOSITORY,
    /** Choose another object: this one does not exist. */
    MISSING,
    /** Use another snapshot: this content is not what was written. */
    DAMAGED,
    /** Use another key: the content was sealed with one whose id differs. */
    OTHER_KEY,
    /** Use a newer version: the content has a format that this one does not know. */
    OTHER_FORMAT,
    /** Split the content: it is larger than an object may be. */
    TOO_LARGE,
    /** Grant a right, or mend the credentials. */
    DENIED,
    /** Free some space in the repository. */
    FULL,
    /** Try again later: the repository does not answer, or its answer is an error. */
    UNAVAILABLE
  }

  private final Kind kind;
  private final @Nullable String field;

  SnapshotException(Kind kind, String message) {
    this(kind, null, message);
  }

  SnapshotException(Kind kind, @Nullable String field, String message) {
    super(bounded(message), null, false, true);
    this.kind = requireNonNull(kind, "kind");
    this.field = field;
  }

  static SnapshotException invalid(String field, String message) {
    return new SnapshotException(Kind.INVALID, field, field + ": " + message);
  }

  static SnapshotException damaged(String message) {
    return new SnapshotException(Kind.DAMAGED, message);
  }

  /** Returns what to do about it. */
  public Kind kind() {
    return kind;
  }

  /** Returns the field that is wrong; null if the failure is about none. */
  public @Nullable String field() {
    return field;
  }

  private static String bounded(String message) {
    String line = message.replaceAll("\\s+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1) + "…";
  }
}
