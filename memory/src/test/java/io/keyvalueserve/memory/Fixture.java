package io.keyvalueserve.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntSupplier;

/** A machine of invention: directories with what its kernel would tell. */
final class Fixture {

  private final Path root;

  Fixture(Path root) {
    this.root = root;
  }

  Machine machine() {
    return new Machine(root.resolve("proc"), root.resolve("sys"));
  }

  PageHeap open(HeapConfig config) {
    return open(config, () -> 0);
  }

  PageHeap open(HeapConfig config, IntSupplier currentCpu) {
    return PageHeap.open(config, machine(), currentCpu);
  }

  Fixture proc(String path, String text) {
    return write(root.resolve("proc").resolve(path), text);
  }

  Fixture sys(String path, String text) {
    return write(root.resolve("sys").resolve(path), text);
  }

  /**
   * Two sockets of four processors with memory, and a CXL node without processors that is attached
   * to the second.
   */
  Fixture twoSocketsAndCxl() {
    return sys("devices/system/node/online", "0-2")
        .sys("devices/system/node/has_memory", "0-2")
        .sys("devices/system/node/node0/cpulist", "0-3")
        .sys("devices/system/node/node0/distance", "10 21 31")
        .sys("devices/system/node/node1/cpulist", "4-7")
        .sys("devices/system/node/node1/distance", "21 10 14")
        .sys("devices/system/node/node2/cpulist", "")
        .sys("devices/system/node/node2/distance", "31 14 10");
  }

  private Fixture write(Path path, String text) {
    try {
      Files.createDirectories(path.getParent());
      Files.writeString(path, text + "\n");
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
