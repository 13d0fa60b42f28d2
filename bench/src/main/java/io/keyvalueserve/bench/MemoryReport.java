package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The results as a table, as JSON and as plots. */
final class MemoryReport {
  private static final double MIB = 1 << 20;

  private MemoryReport() {}

  /** Lines for a person. */
  static String table(List<MemoryResult> results) {
    String head =
        String.format(
            "%-22s %10s %8s %10s %10s %9s %9s %9s %9s %9s %8s %9s %9s %9s",
            "",
            "entries",
            "value B",
            "over B",
            "heap B",
            "heap MiB",
            "RSS MiB",
            "pause max",
            "p99.9 ms",
            "sum ms",
            "CPU us",
            "ops/s",
            "p99.9 us",
            "max ms");
    return head
        + "\n"
        + results.stream().map(MemoryReport::row).collect(Collectors.joining("\n"))
        + "\nover B and heap B are for each entry: all of it above key and value, and what of it"
        + " is on the Java heap.";
  }

  /** Writes {@code memory.json}, and a plot of overhead and one of pauses. */
  static void write(Path folder, String conditions, List<MemoryResult> results) throws IOException {
    Files.createDirectories(folder);
    ObjectNode all = Json.object().put("conditions", conditions).putPOJO("results", results);
    Files.writeString(folder.resolve("memory.json"), Json.text(all));
    Files.writeString(folder.resolve("memory.txt"), conditions + "\n" + table(results) + "\n");
    Bars overhead = new Bars("Bytes for an entry above key and value", "B");
    Bars pauses = new Bars("Longest pause under a 50/50 load", "ms");
    Bars cpu = new Bars("Server CPU for an operation", "us");
    for (MemoryResult result : results) {
      String label = result.subject() + ", " + size(result);
      overhead.add(label, result.overheadBytes());
      pauses.add(label, result.longestPauseMillis());
      cpu.add(label, result.cpuMicros());
    }
    Files.writeString(folder.resolve("overhead.svg"), overhead.svg());
    Files.writeString(folder.resolve("pauses.svg"), pauses.svg());
    Files.writeString(folder.resolve("cpu.svg"), cpu.svg());
  }

  private static String size(MemoryResult result) {
    return String.format(Locale.ROOT, "%,d x %,d B", result.entries(), result.valueBytes());
  }

  private static String row(MemoryResult r) {
    return String.format(
        Locale.ROOT,
        "%-22s %10d %8d %10.1f %10.1f %9.0f %9.0f %9.2f %9.2f %9.0f %8.1f %9.0f %9.0f %9.1f",
        r.subject(),
        r.entries(),
        r.valueBytes(),
        r.overheadBytes(),
        r.heapBytesPerEntry(),
        r.liveHeapBytes() / MIB,
        r.residentBytes() / MIB,
        r.longestPauseMillis(),
        r.p999PauseMillis(),
        r.totalPauseMillis(),
        r.cpuMicros(),
        r.operationsPerSecond(),
        r.p999Micros(),
        r.longestMicros() / 1e3);
  }
}
