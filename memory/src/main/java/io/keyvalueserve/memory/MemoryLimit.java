package io.keyvalueserve.memory;

import java.nio.file.Path;

/**
 * The most memory a process may use: the machine's, or less where a control group says so.
 *
 * @param bytes how much
 * @param origin who says so, as words for a message
 */
public record MemoryLimit(long bytes, String origin) {

  static MemoryLimit read(Machine machine) {
    MemoryLimit limit = physical(machine.proc());
    Path groups = machine.sys().resolve("fs/cgroup");
    for (String line : Machine.lines(machine.proc().resolve("self/cgroup"))) {
      String[] fields = line.split(":", 3); // hierarchy, controllers, path
      if (fields.length < 3) {
        continue;
      }
      if (fields[1].isEmpty()) {
        limit = limit.orLess(groups, fields[2], "memory.max");
        limit = limit.orLess(groups.resolve("unified"), fields[2], "memory.max");
      } else if (("," + fields[1] + ",").contains(",memory,")) {
        limit = limit.orLess(groups.resolve("memory"), fields[2], "memory.limit_in_bytes");
      }
    }
    return limit;
  }

  private static MemoryLimit physical(Path proc) {
    for (String line : Machine.lines(proc.resolve("meminfo"))) {
      String[] words = line.split("\\s+", -1);
      if (words[0].equals("MemTotal:")) {
        return new MemoryLimit(Long.parseLong(words[1]) << 10, "the machine's memory");
      }
    }
    return new MemoryLimit(Long.MAX_VALUE, "nobody: /proc/meminfo does not tell");
  }

  /**
   * Returns the least of this limit and those of a control group and its ancestors. A path that
   * this process cannot see (a container's, told by its host) counts as the root, which is then the
   * container's own group.
   */
  private MemoryLimit orLess(Path root, String path, String file) {
    MemoryLimit least = this;
    Path base = root.normalize();
    Path group = base.resolve(path.substring(1)).normalize();
    if (!group.startsWith(base)) {
      group = base;
    }
    for (; group.startsWith(base); group = group.resolve("..").normalize()) {
      Path limit = group.resolve(file);
      long bytes =
          Machine.firstLine(limit)
              .filter(text -> !text.equals("max"))
              .map(Long::parseLong)
              .orElse(Long.MAX_VALUE);
      if (bytes < least.bytes) {
        least = new MemoryLimit(bytes, "the control group's limit in " + limit);
      }
    }
    return least;
  }
}
