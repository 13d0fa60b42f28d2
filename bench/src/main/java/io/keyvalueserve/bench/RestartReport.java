package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Restarts as a table, as JSON and as plots. */
final class RestartReport {
  private static final String NAME = "restart";
  private static final double MIB = 1 << 20;
  private final String conditions;
  private final RestartResults results;

  /**
   * @param conditions what was measured, and where
   */
  RestartReport(String conditions, RestartResults results) {
    this.conditions = conditions;
    this.results = results;
  }

  /** Lines for a person. */
  String table() {
    Table table = new Table(conditions, 24, 10);
    disk(table);
    table.row("\nwritten once", "writes/s", "MiB/s", "CPU us", "files MiB");
    results
        .fills()
        .forEach(
            (data, fills) -> {
              table.line("%s", data);
              fills.forEach(fill -> row(table, fill));
            });
    table.row(
        "\nstarted again",
        "1st GET s",
        "all s",
        "MiB/s",
        "empty s",
        "beyond s",
        "MiB/s",
        "loads s",
        "log MiB/s",
        "CPU s",
        "x 1st GET",
        "x all",
        "x beyond",
        "x loads");
    results
        .cells()
        .forEach(
            (shape, cells) -> {
              table.line("%s", shape);
              cells.stream()
                  .filter(cell -> !cell.kind().isEmpty())
                  .forEach(cell -> row(table, cell, cells.getFirst()));
            });
    seed(table);
    table.goals(RestartGoals.of(results));
    return table + "\n" + legend();
  }

  private String legend() {
    RestartKind first = results.cells().values().iterator().next().getFirst().kind();
    return """
    Figures are medians of the rounds. written: all entries once, over 4 connections, the server on core 0 and the load
    on the others, which may be what limits; a server that has just started is not warm. MiB are of keys and values;
    files: what the server's take when it is killed (SIGKILL), set apart or written.
    1st GET: seconds from the start of the process until a GET of a key is answered with its value. all: until all of
    the data are in memory; a member serves before, Redis does not. empty: the first GET of the same server without
    data. beyond: what all takes more than that; none where starts differ by more anyway. loads: what the server says
    itself of having loaded its data. MiB/s: keys and values by the time before it; log: the bytes that it says it
    read, by what it says it took. x: the time of that server divided by that of %s, round by round: above 1 is what
    %s gains. CPU: seconds of the processor until all is there. cold: the page cache was dropped before, programs
    included. disturbed: others used a tenth or more of the machine: mistrust it.
    In goals counts the longer of what a server of this product says and of what it takes beyond an empty start.
    Seed 003's are its own: one member with 20 cores on an SSD; GiB/s are its sizes by its times.\
    """
        .formatted(first, first);
  }

  /** Writes table, JSON and plots. */
  void write(Path folder) throws IOException {
    Files.writeString(folder.resolve(NAME + ".txt"), table() + "\n");
    Files.writeString(folder.resolve(NAME + ".json"), RestartJson.of(conditions, results));
    Bars times = new Bars("From the start until the first GET is answered", "s");
    Bars speeds = new Bars("Keys and values brought back, beyond an empty start", "MiB/s");
    DiskLimits disk = results.diskLimits();
    speeds.add("the disk, direct reads", disk.mostDirectRead());
    results
        .cells()
        .forEach(
            (shape, cells) -> {
              for (RestartCell cell : cells) {
                String label = cell.kind() + ", " + label(shape);
                times.add(label, cell.median(Restart::firstSeconds));
                double more = cell.moreSeconds(results.empty(cell));
                if (!cell.kind().isEmpty() && !Double.isNaN(more)) {
                  speeds.add(label, cell.mibPerSecond(more));
                }
              }
            });
    for (SeedFigures seed : SeedFigures.ALL) {
      speeds.add(
          String.format(Locale.ROOT, "seed 003, %d GiB, %d B", seed.dataGib(), seed.valueBytes()),
          seed.gibPerSecond() * 1024);
    }
    Files.writeString(folder.resolve(NAME + "-seconds.svg"), times.svg());
    Files.writeString(folder.resolve(NAME + "-speed.svg"), speeds.svg());
  }

  private static String label(RestartShape shape) {
    return String.format(
        Locale.ROOT,
        "%,d MiB, %,d B, %d cores, %s",
        shape.data().bytes() >> 20,
        shape.data().valueBytes(),
        shape.cores(),
        shape.cold() ? "cold" : "warm");
  }

  private void disk(Table table) {
    DiskLimits disk = results.diskLimits();
    table.line(
        "%nthe disk itself, MiB/s: direct write %s, direct read %s, %d at once %s; write and"
            + " fdatasync %s, cold read %s",
        figure(disk.directWrite(), 0),
        figure(disk.directRead(), 0),
        Cores.count(),
        figure(disk.directReads(), 0),
        figure(disk.cachedWrite(), 0),
        figure(disk.coldRead(), 0));
    MemoryLimits memory = results.memoryLimits();
    table.line(
        "memory touched for the first time, in huge pages, MiB/s: %s, %d at once %s",
        figure(memory.touch(), 0), Cores.count(), figure(memory.touches(), 0));
  }

  private static void row(Table table, Fill fill) {
    table.row(
        "  " + fill.kind(),
        figure(fill.writesPerSecond(), 0),
        figure(fill.mibPerSecond(), 0),
        figure(fill.cpuMicros(), 2),
        figure(fill.diskBytes() / MIB, 0));
  }

  private void row(Table table, RestartCell cell, RestartCell first) {
    RestartCell empty = results.empty(cell);
    double more = cell.moreSeconds(empty);
    boolean compared = cell.kind() != first.kind();
    table.row(
        "  " + cell.kind(),
        figure(cell.median(Restart::firstSeconds), 3),
        figure(cell.median(Restart::allSeconds), 3),
        figure(cell.mibPerSecond(cell.median(Restart::allSeconds)), 0),
        figure(empty.median(Restart::firstSeconds), 3),
        figure(more, 3),
        figure(cell.mibPerSecond(more), 0),
        figure(cell.median(r -> r.loading().seconds()), 3),
        figure(cell.median(r -> r.loading().mibPerSecond()), 0),
        figure(cell.median(Restart::cpuSeconds), 2),
        compared ? figure(first.faster(cell, Restart::firstSeconds), 2) : "",
        compared ? figure(first.faster(cell, Restart::allSeconds), 2) : "",
        compared ? figure(first.fasterBeyondEmpty(results.empty(first), cell, empty), 2) : "",
        compared ? figure(first.faster(cell, r -> r.loading().seconds()), 2) : "",
        cell.isDisturbed() ? " disturbed" : "");
  }

  private static void seed(Table table) {
    table.row("\nseed 003", "value B", "threads", "restart s", "GiB/s", "writers", "writes/s");
    for (SeedFigures seed : SeedFigures.ALL) {
      table.row(
          "  " + seed.dataGib() + " GiB",
          figure(seed.valueBytes(), 0),
          figure(seed.partitionThreads(), 0),
          figure(seed.restartSeconds(), 0),
          figure(seed.gibPerSecond(), 2),
          figure(seed.writers(), 0),
          figure(seed.writesPerSecond(), 0));
    }
  }

  private static String figure(double value, int digits) {
    return value == 0 || Double.isNaN(value) ? "-" : Table.figure(value, digits);
  }
}
