package io.keyvalueserve.bench;

import java.util.List;
import java.util.Locale;

/** What the data of a server are on that is killed. */
enum CrashDisk {
  /** The file system, which keeps what a killed process wrote. */
  REAL,
  /**
   * A disk that is gone with its process as far as it was not synced. In every other life of a
   * server it also keeps some of the rest.
   */
  UNSYNCED_IS_LOST,
  /** A disk that says that it has synced and has not: the check has to find it. */
  NEVER_SYNCED;

  private static final String PROPERTY = "-Dkvs.journal.disk=";

  /**
   * What the JVM of a member of this product is told.
   *
   * @param life how often the member has been started before
   * @param seed draws what is kept of what was not synced
   */
  List<String> jvmOptions(int life, long seed) {
    return switch (this) {
      case REAL -> List.of();
      case UNSYNCED_IS_LOST -> {
        String kept = life % 2 == 0 ? "" : ":" + (seed + life);
        yield List.of(PROPERTY + this + kept);
      }
      case NEVER_SYNCED -> List.of(PROPERTY + this);
    };
  }

  /** What the option of the bench calls it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
