package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder and all that is in it. */
final class FileTree {
  private FileTree() {}

  private static final int DELETIONS = 20;
  private static final long PAUSE_MILLIS = 50;

  /**
   * Deletes it, if it is there. A server that was killed may have a child that writes and removes
   * files there a moment longer: then it is tried again.
   */
  static void delete(Path folder) throws IOException {
    for (int i = 1; Files.exists(folder); i++) {
      try {
        deleteOnce(folder);
      } catch (NoSuchFileException | DirectoryNotEmptyException e) {
        if (i == DELETIONS) {
          throw e;
        }
        Clock.sleepMillis(PAUSE_MILLIS);
      } catch (UncheckedIOException e) { // a walk that met a file which is gone
        if (i == DELETIONS) {
          throw e.getCause();
        }
        Clock.sleepMillis(PAUSE_MILLIS);
      }
    }
  }

  /**
   * Makes it, if it is not there.
   *
   * @throws BenchException if it cannot be made
   */
  static Path make(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new BenchException("a folder cannot be made: " + folder, e);
    }
  }

  /**
   * Writes a file anew, in a folder that is made if it is not there.
   *
   * @throws BenchException if it cannot be written
   */
  static Path write(Path file, String text) {
    make(file.resolveSibling(""));
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new BenchException("a file cannot be written: " + file, e);
    }
  }

  private static void deleteOnce(Path folder) throws IOException {
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
