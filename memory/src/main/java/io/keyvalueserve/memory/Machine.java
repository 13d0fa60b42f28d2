package io.keyvalueserve.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The facts that the machine states in {@code /proc} and {@code /sys}. With other roots, these are
 * the facts of a machine that is not at hand.
 *
 * @param proc where {@code proc} is mounted
 * @param sys where {@code sysfs} is mounted
 */
public record Machine(Path proc, Path sys) {

  /** Returns the machine this process runs on. */
  public static Machine local() {
    return new Machine(Path.of("/proc"), Path.of("/sys"));
  }

  /** Returns the most memory this process may use, and who says so. */
  public MemoryLimit memoryLimit() {
    return MemoryLimit.read(this);
  }

  /** Returns the NUMA nodes. */
  NumaTopology numa() {
    return NumaTopology.read(sys.resolve("devices/system/node"));
  }

  /** Returns the NUMA node of the device a directory is on, -1 when the kernel does not say. */
  int nodeOf(Path directory) {
    try {
      long device = ((Number) Files.getAttribute(directory, "unix:dev")).longValue();
      // As gnu_dev_major and gnu_dev_minor take it apart.
      long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
      long minor = (device & 0xff) | ((device >>> 12) & ~0xffL);
      return nodeOfDevice(major + ":" + minor);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return -1;
    }
  }

  /** Returns the node of a block device, or of the device whose partition it is. */
  int nodeOfDevice(String majorAndMinor) {
    Path device = sys.resolve("dev/block").resolve(majorAndMinor);
    return firstLine(device.resolve("device/numa_node"))
        .or(() -> firstLine(realPath(device).resolve("../device/numa_node")))
        .map(Integer::parseInt)
        .orElse(-1);
  }

  /** Returns the first line of a file, empty when there is no such file or nothing in it. */
  static Optional<String> firstLine(Path file) {
    return lines(file).stream().map(String::trim).findFirst().filter(line -> !line.isEmpty());
  }

  /** Returns the lines of a file, none when there is no such file or it may not be read. */
  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      if (Files.isRegularFile(file) && Files.isReadable(file)) {
        throw new UncheckedIOException("cannot read " + file, e);
      }
      return List.of();
    }
  }

  /**
   * Reads the kernel's notation of a set of numbers, as {@code 0-3,8}.
   *
   * @throws NumberFormatException if it is none
   */
  public static List<Integer> numbers(String list) {
    List<Integer> numbers = new ArrayList<>();
    for (String part : list.trim().split(",", -1)) {
      if (part.isEmpty()) {
        continue;
      }
      int dash = part.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
      for (int number = first; number <= last; number++) {
        numbers.add(number);
      }
    }
    return numbers;
  }

  private static Path realPath(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path;
    }
  }
}
