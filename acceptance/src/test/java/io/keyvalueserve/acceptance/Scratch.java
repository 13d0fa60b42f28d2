package io.keyvalueserve.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Where the tests put what they make: the module's build folder, also when run from an IDE. */
final class Scratch {
  private Scratch() {}

  /** The build folder. */
  static Path target() {
    return Path.of(System.getProperty("kvs.acceptance.folder", "target")).toAbsolutePath();
  }

  /** The folder of the probes' sources. */
  static Path probeSources() {
    return Path.of(System.getProperty("kvs.acceptance.clients", "src/test/clients"))
        .toAbsolutePath();
  }

  /** A new folder for a server's data; its name starts with the given one. */
  static Path newFolder(String name) {
    try {
      Path parent = Files.createDirectories(target().resolve("servers"));
      return Files.createTempDirectory(parent, name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a folder and everything in it; none is fine too. */
  static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                throws IOException {
              Files.deleteIfExists(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
