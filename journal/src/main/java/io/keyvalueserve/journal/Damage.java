package io.keyvalueserve.journal;

/**
 * Something that is not as it was written.
 *
 * @param kind what it is
 * @param file where, as the operator finds it
 * @param offset where in the file
 * @param bytes how many bytes could not be used
 * @param text what was expected and what is done about it
 */
public record Damage(Kind kind, String file, long offset, long bytes, String text) {
  /** What can be wrong. */
  public enum Kind {
    /** The end of what was being written at a crash; nothing in it was certain. */
    TORN_TAIL,
    /** Frames behind a torn tail; nothing in them was certain. */
    BEHIND_TORN_TAIL,
    /** Bytes within the log that are no frames. */
    BAD_FRAMES,
    /** A part that the disk does not read. */
    UNREADABLE,
    /** A chunk that the manifest names is not there. */
    MISSING_CHUNK,
    /** A chunk that does not say what it is. */
    BAD_HEADER,
    /** A sealed chunk's end; its frames were looked at one by one. */
    BAD_TRAILER,
    /** A file that holds another chunk than its name says. */
    MISNAMED_CHUNK,
    /** A chunk with frames that the manifest does not name. */
    UNLISTED_CHUNK,
    /** A file that has no business here. */
    STRANGE_FILE,
    /** The manifest; chunks' own headers were used. */
    BAD_MANIFEST,
    /** A blob that a certain frame refers to is missing or not what was written. */
    BAD_BLOB,
    /** Records of a map whose name could not be found. */
    UNNAMED_MAP
  }

  /** Whether something that was certain may be lost; otherwise the crash explains it. */
  public boolean isLoss() {
    return switch (kind) {
      case TORN_TAIL, BEHIND_TORN_TAIL, BAD_TRAILER, STRANGE_FILE -> false;
      case BAD_FRAMES,
          UNREADABLE,
          MISSING_CHUNK,
          BAD_HEADER,
          MISNAMED_CHUNK,
          UNLISTED_CHUNK,
          BAD_MANIFEST,
          BAD_BLOB,
          UNNAMED_MAP ->
          true;
    };
  }

  @Override
  public String toString() {
    return "%s: file=%s offset=%d bytes=%d: %s".formatted(kind, file, offset, bytes, text);
  }
}
