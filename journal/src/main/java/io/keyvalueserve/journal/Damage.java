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
  /** The kinds of damage. */
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
    /** The file that says up to where the log was certain; chunks' own marks were used. */
    BAD_CERTAIN,
    /** A blob that a certain frame refers to is missing or not what was written. */
    BAD_BLOB,
    /** Records of a map whose name could not be found. */
    UNNAMED_MAP,
    /** The file that says whose log it is; chunks say it too. */
    BAD_IDENTITY
  }

  /**
   * Returns whether something that was certain may be lost. Otherwise a crash explains the damage.
   */
  public boolean isLoss() {
    return switch (kind) {
      case TORN_TAIL, BEHIND_TORN_TAIL, BAD_TRAILER, STRANGE_FILE, BAD_IDENTITY -> false;
      case BAD_FRAMES,
          UNREADABLE,
          MISSING_CHUNK,
          BAD_HEADER,
          MISNAMED_CHUNK,
          UNLISTED_CHUNK,
          BAD_MANIFEST,
          BAD_CERTAIN,
          BAD_BLOB,
          UNNAMED_MAP ->
          true;
    };
  }

  /**
   * Returns whether records that were certain may be missing. Older records may then show in their
   * place, or records that were removed.
   */
  public boolean mayMissRecords() {
    return isLoss() && kind != Kind.BAD_HEADER; // its frames say where they belong
  }

  /**
   * Returns whether records may be missing in the file. Such a file is kept when its good records
   * have been written anew.
   */
  boolean concernsFrames() {
    return switch (kind) {
      case BAD_FRAMES, UNREADABLE, UNNAMED_MAP, BAD_BLOB -> true;
      case TORN_TAIL,
          BEHIND_TORN_TAIL,
          MISSING_CHUNK,
          BAD_HEADER,
          BAD_TRAILER,
          MISNAMED_CHUNK,
          UNLISTED_CHUNK,
          STRANGE_FILE,
          BAD_MANIFEST,
          BAD_CERTAIN,
          BAD_IDENTITY ->
          false;
    };
  }

  /**
   * Returns whether a crash explains the damage. Nothing is wrong with the disk or the files then.
   */
  public boolean isOfCrash() {
    return kind == Kind.TORN_TAIL || kind == Kind.BEHIND_TORN_TAIL;
  }

  /** Returns the action for an operator, or that nothing has to be done. */
  public String remedy() {
    return switch (kind) {
      case TORN_TAIL, BEHIND_TORN_TAIL ->
          "nothing: a crash left it, and the member cuts it off at its next start";
      case BAD_FRAMES ->
          "the records in these bytes are lost here, no others are: bring the file back from a copy"
              + " before the member starts, or start it without them; test the disk";
      case UNREADABLE ->
          "the disk does not read it: copy the directory to another disk, with a tool that goes on"
              + " after errors, and start the member there";
      case MISSING_CHUNK ->
          "bring the file back before the member starts: it goes on without these records then,"
              + " and does not ask again";
      case BAD_HEADER ->
          "nothing: its records are read all the same, written anew in time, and the file is set"
              + " aside then; test the disk";
      case BAD_TRAILER ->
          "nothing: its frames are read one by one, which takes longer; test the disk";
      case MISNAMED_CHUNK ->
          "somebody copied or renamed it: move it where it belongs, or the member sets it aside"
              + " in quarantine/";
      case UNLISTED_CHUNK ->
          "it came from another copy of the log, or the manifest did: bring back what belongs"
              + " together, or the member sets it aside in quarantine/";
      case STRANGE_FILE -> "move it elsewhere: until then the member does not start";
      case BAD_MANIFEST ->
          "nothing, if no chunk is missing: the member makes it anew from the chunks' headers;"
              + " test the disk";
      case BAD_CERTAIN ->
          "nothing, if no chunk was cut off: that would not be noticed this once; test the disk";
      case BAD_BLOB ->
          "bring blobs/ back from a copy before the member starts: without it the record is lost,"
              + " and an older one of its key may show";
      case UNNAMED_MAP ->
          "the frame with the map's name is damaged: bring the file back from a copy before the"
              + " member starts, or it goes on without these records";
      case BAD_IDENTITY ->
          "bring it back from a copy, or have 'kvs data compact' write it anew; until then the"
              + " member does not start";
    };
  }

  @Override
  public String toString() {
    return "%s: file=%s offset=%d bytes=%d: %s".formatted(kind, file, offset, bytes, text);
  }
}
