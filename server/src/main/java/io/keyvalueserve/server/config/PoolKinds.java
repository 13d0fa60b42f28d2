package io.keyvalueserve.server.config;

import io.keyvalueserve.memory.NumaPolicy;
import io.keyvalueserve.memory.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds of pools by the words that reports use for them, each with the settings it has. */
final class PoolKinds {
  static final String[] NAMES = {
    "dram", "thp", "huge-2m", "huge-1g", "numa", "file", "memkind-pmem", "memkind-kmem"
  };
  static final String LIST = String.join(", ", NAMES);

  /** The highest node number that a Linux kernel can be built for. */
  private static final int MOST_NODE = 1023;

  private PoolKinds() {}

  /**
   * Returns the source of the pages of such a pool. If the fields have mistakes, notes them and
   * returns null.
   */
  static @Nullable Source source(String kind, Fields fields) {
    return switch (kind) {
      case "dram" -> new Source.Dram();
      case "thp" -> new Source.TransparentHugePages();
      case "huge-2m" -> new Source.HugePages(Source.HugePages.TWO_MIB);
      case "huge-1g" -> new Source.HugePages(Source.HugePages.ONE_GIB);
      case "numa" -> numa(fields);
      case "file" -> file(fields);
      case "memkind-pmem" -> memkindDirectory(fields);
      case "memkind-kmem" -> new Source.MemkindKmem(fields.numbers("nodes", MOST_NODE));
      default -> throw new IllegalArgumentException("no such kind: " + kind);
    };
  }

  private static @Nullable Source numa(Fields fields) {
    if (!fields.has("nodes")) {
      fields.mistake(
          "nodes", "is missing: name the NUMA nodes, as in [0, 1]; 'numactl -H' lists them");
    }
    List<Integer> nodes = fields.numbers("nodes", MOST_NODE);
    if (fields.has("nodes") && nodes.isEmpty()) {
      fields.mistake("nodes", "names no node: write for example [0, 1]");
    }
    String policy =
        fields.text(
            "policy",
            "bind",
            Values.oneOf("bind", "preferred", "interleave", "weighted-interleave"));
    boolean huge = isTrue(fields, "huge-pages");
    return nodes.isEmpty()
        ? null
        : new Source.NumaNodes(nodes, MemoryReader.constant(NumaPolicy.class, policy), huge);
  }

  private static @Nullable Source file(Fields fields) {
    Path path = directory(fields);
    boolean mapSync = isTrue(fields, "map-sync");
    String node = fields.text("node", "", Values.integer(0, MOST_NODE));
    return path == null
        ? null
        : new Source.Directory(path, mapSync, node.isEmpty() ? -1 : Integer.parseInt(node));
  }

  private static @Nullable Source memkindDirectory(Fields fields) {
    Path path = directory(fields);
    return path == null ? null : new Source.MemkindDirectory(path);
  }

  private static @Nullable Path directory(Fields fields) {
    String text =
        fields.required(
            "path", "", Values.present(), "name the directory that the device is mounted at");
    if (text.isEmpty()) {
      return null;
    }
    Path path = Path.of(text).toAbsolutePath().normalize();
    if (Files.isDirectory(path) && Files.isWritable(path)) {
      return path;
    }
    fields.mistake(
        "path",
        "'"
            + text
            + (Files.isDirectory(path) ? "' may not be written to" : "' is no directory")
            + ": create it, or mount the device there");
    return null;
  }

  private static boolean isTrue(Fields fields, String name) {
    return fields.text(name, "false", Values.flag()).equals("true");
  }
}
