package io.keyvalueserve.hazelcast;

import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.restart.RestartPolicy;
import io.keyvalueserve.grid.restart.WhileLoading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** How members of tests outlive themselves: with small chunks, and little patience for others. */
final class Restarts {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long CHUNK_BYTES = 4 << 20;

  /** {@code -Dkvs.test.keys-first-below=0} has members serve before they know their keys. */
  static final long KEYS_FIRST_BELOW =
      Long.getLong("kvs.test.keys-first-below", RestartConfig.KEYS_FIRST_BELOW_BYTES);

  private Restarts() {}

  static RestartConfig in(Path directory, Durability durability) {
    return in(directory, durability, WhileLoading.WAIT, map -> false);
  }

  static RestartConfig in(
      Path directory, Durability durability, WhileLoading whileLoading, Predicate<String> first) {
    return in(directory, durability, whileLoading, first, KEYS_FIRST_BELOW);
  }

  static RestartConfig in(
      Path directory,
      Durability durability,
      WhileLoading whileLoading,
      Predicate<String> first,
      long keysFirstBelow) {
    return new RestartConfig(
        directory,
        durability,
        RestartPolicy.COMPLETE,
        PATIENCE,
        CHUNK_BYTES,
        whileLoading,
        first,
        keysFirstBelow,
        RestartConfig.SCRUB_EACH);
  }

  /**
   * Copies a directory. That of a member that runs is what a crash would leave: the file that says
   * up to where its log is certain is copied before the log goes on. A file that waits for its name
   * may get it before it is copied, and is left out then.
   */
  static void copy(Path from, Path to) throws IOException {
    Path certain = Path.of("log", "certain");
    try (Stream<Path> files = Files.walk(from)) {
      List<Path> all = new ArrayList<>(files.map(from::relativize).toList());
      if (all.remove(certain)) {
        all.add(all.indexOf(certain.getParent()) + 1, certain);
      }
      for (Path file : all) {
        copyFile(from.resolve(file), to.resolve(file));
      }
    }
  }

  private static void copyFile(Path from, Path to) throws IOException {
    try {
      Files.copy(from, to);
    } catch (NoSuchFileException e) {
      if (!from.toString().endsWith(".new")) {
        throw e;
      }
    }
  }
}
