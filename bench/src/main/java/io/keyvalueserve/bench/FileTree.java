package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder and all that is in it. */
final class FileTree {
  private FileTree() {}

  /** Deletes it, if it is there. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  /** What its files take of the disk as they say, in bytes. */
  static long bytes(Path folder) throws IOException {
    long bytes = 0;
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(each);
      }
    }
    return bytes;
  }

  /** Copies it; what was in the place of the copy is gone. */
  static void copy(Path folder, Path to) throws IOException {
    delete(to);
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.toList()) {
        Files.copy(each, to.resolve(folder.relativize(each)));
      }
    }
  }
}
