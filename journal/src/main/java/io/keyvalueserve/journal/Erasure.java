package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;

/**
 * A log that is given up. A crash in between must not leave a part of it that passes for a log: so
 * a mark is certain before the first file goes, and goes itself when all others are gone for
 * certain. Whoever opens a log with the mark goes on.
 */
final class Erasure {
  private static final String MARK = "given-up";

  private Erasure() {}

  /** Removes all that a log has, unless there is none. */
  static void erase(Disk disk) throws IOException {
    Closeable lock = disk.lock(LogFiles.LOCK);
    try (lock) {
      SmallFile.replace(disk, MARK, new byte[0]);
      finish(disk);
    }
  }

  /** Returns whether a log is being given up. Nothing in it counts then. */
  static boolean isBegun(Disk disk) throws IOException {
    return disk.exists(MARK);
  }

  /** Removes what is left of a log that is being given up; nothing of any other. */
  static void finish(Disk disk) throws IOException {
    if (!disk.exists(MARK)) {
      return;
    }
    disk.syncDirectory(""); // whoever was killed may have come to the mark, but not to its sync
    empty(disk, LogFiles.CHUNKS);
    empty(disk, LogFiles.BLOBS);
    empty(disk, LogFiles.QUARANTINE);
    disk.delete(LogFiles.CERTAIN);
    disk.delete(LogFiles.MANIFEST);
    disk.delete(LogFiles.IDENTITY);
    disk.syncDirectory("");
    disk.delete(MARK);
    disk.syncDirectory("");
  }

  private static void empty(Disk disk, String directory) throws IOException {
    disk.makeDirectory(directory);
    for (String name : disk.list(directory)) {
      disk.delete(directory + "/" + name);
    }
    disk.syncDirectory(directory); // also for what was removed before a crash
  }
}
