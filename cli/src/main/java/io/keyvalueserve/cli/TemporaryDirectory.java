package io.keyvalueserve.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A new directory that is gone when it is closed, with all that is in it. */
record TemporaryDirectory(Path path) implements AutoCloseable {
  /** Makes one whose name begins so. */
  TemporaryDirectory(String prefix) {
    this(create(prefix));
  }

  private static Path create(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary directory can be made", e);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> found = Files.walk(path)) {
      List<Path> files = found.sorted(Comparator.reverseOrder()).toList();
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(path + " cannot be removed", e);
    }
  }
}
