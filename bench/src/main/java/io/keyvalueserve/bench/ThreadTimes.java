package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What some threads of a process take of the processor, as Linux tells of threads, whose names it
 * knows. Nothing if it has none of that name, and on other systems.
 */
final class ThreadTimes {
  private final Path threads;
  private final List<String> names;
  private final long begin;

  /**
   * Those of a process, from now on.
   *
   * @param threads has a folder for each
   * @param names how the names begin of those that count; Linux knows 15 characters
   */
  ThreadTimes(Path threads, List<String> names) {
    this.threads = threads;
    this.names = names;
    this.begin = nanos();
  }

  /** Those of a JVM that compile. */
  static ThreadTimes ofCompilers(long pid) {
    return of(pid, List.of("C1 Compiler", "C2 Compiler"));
  }

  /** Those of this product that serve Redis clients. */
  static ThreadTimes ofEventLoops(long pid) {
    return of(pid, List.of("resp-"));
  }

  private static ThreadTimes of(long pid, List<String> names) {
    return new ThreadTimes(Path.of("/proc", Long.toString(pid), "task"), names);
  }

  /** How long they have run since, 0 or more. */
  long nanosSince() {
    return Math.max(0, nanos() - begin); // one that has ended takes with it what it ran
  }

  private long nanos() {
    if (!Files.isDirectory(threads)) {
      return 0;
    }
    long sum = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
      for (Path thread : all) {
        sum += nanos(thread);
      }
    } catch (IOException | DirectoryIteratorException e) {
      return sum; // the process has ended
    }
    return sum;
  }

  private long nanos(Path thread) {
    try {
      String name = Files.readString(thread.resolve("comm"));
      return names.stream().anyMatch(name::startsWith)
          ? Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", -1)[0])
          : 0;
    } catch (IOException e) {
      return 0; // it has ended
    }
  }
}
