package io.keyvalueserve.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the kernel says of the mappings of this process, in {@code /proc/self/smaps}. */
final class Smaps {

  private Smaps() {}

  /** Returns the sum of a field, in bytes, over the mappings that lie inside a range. */
  static long bytes(Extent range, String field) {
    return entries(range).stream()
        .filter(line -> line.startsWith(field + ":"))
        .mapToLong(line -> Long.parseLong(line.split("\\s+", -1)[1]) << 10)
        .sum();
  }

  /** Returns whether every mapping inside a range has one of the two-letter flags. */
  static boolean allHaveFlag(Extent range, String flag) {
    List<String> flags =
        entries(range).stream().filter(line -> line.startsWith("VmFlags:")).toList();
    return !flags.isEmpty()
        && flags.stream().allMatch(line -> (line + " ").contains(" " + flag + " "));
  }

  /** Returns the lines of the mappings that lie inside a range. */
  static List<String> entries(Extent range) {
    try {
      List<String> found = new ArrayList<>();
      boolean inside = false;
      for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
        if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
          int dash = line.indexOf('-');
          long start = Long.parseUnsignedLong(line.substring(0, dash), 16);
          long end = Long.parseUnsignedLong(line.substring(dash + 1, line.indexOf(' ')), 16);
          inside = start < range.end() && end > range.address();
        }
        if (inside) {
          found.add(line);
        }
      }
      return found;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
