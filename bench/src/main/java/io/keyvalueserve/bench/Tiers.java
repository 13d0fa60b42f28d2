package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The tiers of memory that every machine has, as configurations of the server. */
final class Tiers {
  private Tiers() {}

  /**
   * DRAM with small and with transparent huge pages, and a file.
   *
   * @param folder gets the configurations and the file
   * @param bytes of each tier
   */
  static Map<String, Path> usual(Path folder, long bytes) throws IOException {
    Map<String, Path> tiers = new LinkedHashMap<>();
    tiers.put("dram", write(folder, "dram", "kind: dram", bytes));
    tiers.put("huge-pages", write(folder, "huge-pages", "kind: thp", bytes));
    Path files = Files.createDirectories(folder.resolve("tier-file"));
    tiers.put("file", write(folder, "file", "kind: file, path: " + files, bytes));
    return tiers;
  }

  private static Path write(Path folder, String name, String pool, long bytes) throws IOException {
    String yaml =
        "memory:\n  tiers:\n    - name: "
            + name
            + "\n      pools:\n        - { "
            + pool
            + ", size: "
            + (bytes >> 20)
            + "m }\n";
    return Files.writeString(folder.resolve("tier-" + name + ".yaml"), yaml);
  }
}
