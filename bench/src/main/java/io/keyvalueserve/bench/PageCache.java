package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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

  /** Reads all files of a folder once, so that the kernel has what it has room for. Blocks. */
  static void warm(Path folder) {
    byte[] unit = new byte[1 << 20];
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (InputStream in = Files.newInputStream(file)) {
          while (in.read(unit) >= 0) {}
        }
      }
    } catch (IOException e) {
      throw new BenchException("files cannot be read: " + folder, e);
    }
  }

  /** Writes what is not on disk yet, then drops all: whoever reads next reads from the disk. */
  static void drop() {
    Children.Said _ = Children.run(List.of("sync"));
    try {
      Files.writeString(DROP, EVERYTHING);
    } catch (IOException e) {
      throw new BenchException("the page cache cannot be dropped", e);
    }
  }
}
