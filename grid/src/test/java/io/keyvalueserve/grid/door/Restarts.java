package io.keyvalueserve.grid.door;

import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.restart.RestartPolicy;
import io.keyvalueserve.grid.restart.WhileLoading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** How members of tests outlive themselves: with small chunks, and little patience for others. */
final class Restarts {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long CHUNK_BYTES = 4 << 20;

  private Restarts() {}

  static RestartConfig in(Path directory, Durability durability) {
    return in(directory, durability, WhileLoading.WAIT, map -> false);
  }

  static RestartConfig in(
      Path directory, Durability durability, WhileLoading whileLoading, Predicate<String> first) {
    return new RestartConfig(
        directory, durability, RestartPolicy.COMPLETE, PATIENCE, CHUNK_BYTES, whileLoading, first);
  }

  /** Copies a directory. That of a member that runs is what a crash would leave. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }
}
