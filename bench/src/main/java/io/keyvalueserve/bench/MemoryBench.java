package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code kvs bench memory}: native maps beside maps on the Java heap (seeds 000 and 002). */
@Command(
    name = "memory",
    description = {
      "Measure maps off the Java heap beside those of a stock Hazelcast member.",
      "",
      "For each size: fill, weigh, then read and write in equal parts through a real client;"
          + " both servers in turns. With --caching also the caching run of seed 002: entries of"
          + " 10 KB on each tier of memory, DRAM beside it."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class MemoryBench extends Bench {
  private static final Pattern COUNT = Pattern.compile("(\\d+)([km]?)");
  private static final int CACHING_VALUE_BYTES = 10 << 10;
  private static final long STOCK_OVERHEAD = 250; // B an entry: generous, what it needs is measured
  private static final long LEAST_STOCK_HEAP = 512L << 20;

  @Option(
      names = "--entries",
      split = ",",
      defaultValue = "1m",
      paramLabel = "N,...",
      description = "How many entries, as 500k or 10m. Default: ${DEFAULT-VALUE}")
  private List<String> entries = List.of();

  @Option(
      names = "--values",
      split = ",",
      defaultValue = "100,500",
      paramLabel = "BYTES,...",
      description = "Sizes of values. Default: ${DEFAULT-VALUE}")
  private List<Integer> values = List.of();

  @Option(
      names = "--collectors",
      split = ",",
      defaultValue = "g1",
      paramLabel = "NAME,...",
      description = "Garbage collectors for both sides: g1, zgc. Default: ${DEFAULT-VALUE}")
  private List<Collector> collectors = List.of();

  @Option(
      names = "--seconds",
      defaultValue = "30",
      description = "How long the load lasts. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(
      names = "--threads",
      defaultValue = "8",
      description = "Threads of load, over one client. Default: ${DEFAULT-VALUE}")
  private int threads;

  @Option(
      names = "--heap",
      defaultValue = "256",
      paramLabel = "MIB",
      description = "The Java heap of this product's server. Default: ${DEFAULT-VALUE}")
  private int heapMib;

  @Option(
      names = "--stock-heap",
      paramLabel = "MIB",
      description = "The Java heap of the stock member. Default: twice what its entries need.")
  private @Nullable Integer stockHeapMib;

  @Option(names = "--without-stock", description = "Measure this product alone.")
  private boolean withoutStock;

  @Option(
      names = "--caching",
      description = "The caching run of seed 002 instead: 10 KB entries on each tier.")
  private boolean caching;

  @Option(
      names = "--tier",
      paramLabel = "NAME=FILE",
      description =
          "A tier for --caching: a kvs.yaml with its memory. May be repeated. Default: DRAM with"
              + " and without huge pages, and a file in the results folder.")
  private Map<String, Path> tiers = new LinkedHashMap<>();

  @Override
  public Integer call() throws IOException {
    Cores.moveLoad();
    Path folder = results.make();
    MemoryRun run = new MemoryRun(progress(), threads, seconds);
    List<MemoryResult> all = caching ? caching(run, folder) : compare(run, folder);
    String conditions =
        String.format(
            Locale.ROOT,
            "%s; %d threads over one client, 50/50 for %d s; %s",
            Cores.describe(),
            threads,
            seconds,
            Machine.describe());
    MemoryReport.write(folder, conditions, all);
    String table = conditions + "\n" + MemoryReport.table(all);
    tell(table);
    return 0;
  }

  private List<MemoryResult> compare(MemoryRun run, Path folder) {
    List<MemoryResult> all = new ArrayList<>();
    for (Collector collector : collectors) {
      String suffix = collectors.size() == 1 ? "" : " " + collector;
      for (String count : entries) {
        int n = number(count);
        for (int value : values) {
          Path at = folder.resolve(String.format("logs/%s-%s-%d", collector, count, value));
          try (Subject own =
              Subject.own(
                  at.resolve("kvs"),
                  collector,
                  (long) heapMib << 20,
                  List.of("--memory", mib(nativeBytes(n, value))))) {
            all.add(run.measure("kvs" + suffix, own, n, value));
          }
          if (!withoutStock) {
            compareStock(run, at, collector, suffix, n, value, all);
          }
        }
      }
    }
    return all;
  }

  private void compareStock(
      MemoryRun run,
      Path at,
      Collector collector,
      String suffix,
      int n,
      int value,
      List<MemoryResult> all) {
    long heap =
        stockHeapMib != null
            ? (long) stockHeapMib << 20
            : Math.max(LEAST_STOCK_HEAP, 2L * n * (Load.KEY_BYTES + value + STOCK_OVERHEAD));
    long machine = Machine.memoryBytes();
    if (heap > machine * 9 / 10) {
      progress()
          .say(
              "stock: %d entries of %d B need a heap of about %d MiB; this machine has %d MiB: left"
                  + " out. Choose one with --stock-heap to try.",
              n, value, heap >> 20, machine >> 20);
      return;
    }
    try (Subject stock = Subject.stock(at.resolve("stock"), collector, heap)) {
      all.add(run.measure("stock" + suffix, stock, n, value));
    }
  }

  private List<MemoryResult> caching(MemoryRun run, Path folder) throws IOException {
    int n = number(entries.getFirst().equals("1m") ? "200k" : entries.getFirst());
    if (tiers.isEmpty()) {
      tiers = Tiers.usual(folder, nativeBytes(n, CACHING_VALUE_BYTES));
    }
    List<MemoryResult> all = new ArrayList<>();
    for (Map.Entry<String, Path> tier : tiers.entrySet()) {
      try (Subject own =
          Subject.own(
              folder.resolve("logs/caching-" + tier.getKey()),
              collectors.getFirst(),
              (long) heapMib << 20,
              List.of("--config", tier.getValue().toAbsolutePath().toString()))) {
        all.add(run.measure("kvs " + tier.getKey(), own, n, CACHING_VALUE_BYTES));
      }
    }
    return all;
  }

  /** Room for the entries: what they need, a fifth more, and something for small runs. */
  private static long nativeBytes(int n, int value) {
    return (long) n * (Load.KEY_BYTES + value + 100) * 6 / 5 + (256L << 20);
  }

  private static String mib(long bytes) {
    return (bytes >> 20) + "m";
  }

  private int number(String text) {
    Matcher parts = COUNT.matcher(text.toLowerCase(Locale.ROOT));
    refuse(!parts.matches(), "--entries: '" + text + "' is no number like 500k or 10m");
    int factor =
        switch (parts.group(2)) {
          case "k" -> 1_000;
          case "m" -> 1_000_000;
          default -> 1;
        };
    return Math.multiplyExact(Integer.parseInt(parts.group(1)), factor);
  }
}
