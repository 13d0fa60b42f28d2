package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's copies of what is on disks. */
final class PageCache {
  private static final Path DROP = Path.of("/proc/sys/vm/drop_caches");

  /** Pages, directories and inodes. */
  private static final String EVERYTHING = "3";

  private PageCache() {}

  /** Whether this user may have the kernel drop it: root may, outside most containers. */
  static boolean canBeDropped() {
    return Files.isWritable(DROP);
  }

  /** Writes what is not on disk yet, then drops all: whoever reads next reads from the disk. */
  static void drop() {
    try {
      new ProcessBuilder("sync").start().waitFor();
      Files.writeString(DROP, EVERYTHING);
    } catch (IOException e) {
      throw new BenchException("the page cache cannot be dropped", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    }
  }
}
