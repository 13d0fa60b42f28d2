package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the compilers of a JVM take of the processor, as Linux tells of its threads, whose names it
 * knows. Nothing for other programs and on other systems.
 */
final class Compilers {
  private final Path threads;
  private final long begin;

  /**
   * Those of a process.
   *
   * @param threads has a folder for each
   */
  Compilers(Path threads) {
    this.threads = threads;
    this.begin = nanos();
  }

  /** Those of a process, from now on. */
  static Compilers of(long pid) {
    return new Compilers(Path.of("/proc", Long.toString(pid), "task"));
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

  private static long nanos(Path thread) {
    try {
      String name = Files.readString(thread.resolve("comm"));
      return name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler")
          ? Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", -1)[0])
          : 0;
    } catch (IOException e) {
      return 0; // it has ended
    }
  }
}
