package io.keyvalueserve.server.config;

import io.keyvalueserve.memory.Machine;
import io.keyvalueserve.memory.MemoryLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory that this process may have, and the part of it that is already in use for other
 * things.
 *
 * @param limit the most it may use, and who says so
 * @param javaHeapBytes what its Java heap may grow to
 * @param transparentHugePages whether the kernel gives them to who asks
 */
record Room(MemoryLimit limit, long javaHeapBytes, boolean transparentHugePages) {
  /**
   * The memory that the JVM and the buffers of connections need beside the Java heap, generously.
   */
  static final long BESIDE_HEAP_BYTES = 512L << 20;

  /**
   * The least memory that the JVM needs beside the Java heap as soon as there is something to do.
   */
  static final long LEAST_BESIDE_HEAP_BYTES = 256L << 20;

  static Room ofProcess() {
    Machine machine = Machine.local();
    return new Room(
        machine.memoryLimit(), Runtime.getRuntime().maxMemory(), hasTransparentHuge(machine.sys()));
  }

  /** Returns whether the amount of memory is known. */
  boolean isKnown() {
    return limit.bytes() < Long.MAX_VALUE;
  }

  /**
   * Returns the memory that is left for entries, in bytes; below zero if even the rest has no room.
   */
  long leftBytes() {
    return limit.bytes() - javaHeapBytes - BESIDE_HEAP_BYTES;
  }

  /** The most that entries can have, in bytes: with more the system ends the process. */
  long mostBytes() {
    return limit.bytes() - javaHeapBytes - LEAST_BESIDE_HEAP_BYTES;
  }

  /** The limit as words: {@code 8 GiB (the machine's memory)}. */
  String limitText() {
    return Sizes.text(limit.bytes()) + " (" + limit.origin() + ")";
  }

  private static boolean hasTransparentHuge(Path sys) {
    try {
      String setting = Files.readString(sys.resolve("kernel/mm/transparent_hugepage/enabled"));
      return !setting.contains("[never]");
    } catch (IOException e) {
      return false;
    }
  }
}
