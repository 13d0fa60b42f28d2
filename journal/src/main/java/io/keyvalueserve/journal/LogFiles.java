package io.keyvalueserve.journal;

import java.util.Locale;
import java.util.OptionalLong;

/** The names of a log's files. */
final class LogFiles {
  static final String LOCK = "LOCK";
  static final String IDENTITY = "identity";
  static final String MANIFEST = "manifest";
  static final String CERTAIN = "certain";
  static final String CHUNKS = "chunks";
  static final String BLOBS = "blobs";
  static final String QUARANTINE = "quarantine";

  private static final int DIGITS = 12;
  private static final String CHUNK_SUFFIX = ".chunk";
  private static final String BLOB_SUFFIX = ".blob";

  private LogFiles() {}

  static String chunk(long id) {
    return CHUNKS + "/" + number(id) + CHUNK_SUFFIX;
  }

  static String blob(long id) {
    return BLOBS + "/" + number(id) + BLOB_SUFFIX;
  }

  /** The chunk that a file's name stands for. */
  static OptionalLong chunkOf(String fileName) {
    return id(fileName, CHUNK_SUFFIX);
  }

  /** The blob that a file's name stands for. */
  static OptionalLong blobOf(String fileName) {
    return id(fileName, BLOB_SUFFIX);
  }

  private static String number(long id) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", id);
  }

  private static OptionalLong id(String name, String suffix) {
    if (name.length() != DIGITS + suffix.length() || !name.endsWith(suffix)) {
      return OptionalLong.empty();
    }
    long id = 0;
    for (int i = 0; i < DIGITS; i++) {
      char c = name.charAt(i);
      if (c < '0' || c > '9') {
        return OptionalLong.empty();
      }
      id = id * 10 + (c - '0');
    }
    return OptionalLong.of(id);
  }
}
