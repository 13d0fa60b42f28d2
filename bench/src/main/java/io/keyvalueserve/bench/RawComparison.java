package io.keyvalueserve.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Servers under the same raw loads, in turns: A, B, A, B. All run; one at a time is loaded. */
final class RawComparison {
  private static final long SHORTEST_WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final PrintWriter progress;
  private final Rounds rounds;

  /**
   * @param progress gets a line for each step
   * @param rounds how often and how long
   */
  RawComparison(PrintWriter progress, Rounds rounds) {
    this.progress = progress;
    this.rounds = rounds;
  }

  /** Fills, warms up and measures. The results of a shape are in the order of the servers. */
  List<Cell> measure(List<Contender> servers, List<Shape> shapes) {
    for (Contender server : servers) {
      prepare(server, shapes);
    }
    List<Cell> all = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      Shape shape = shapes.get(i);
      List<Cell> cells = servers.stream().map(s -> new Cell(shape, s.name())).toList();
      for (int round = 1; round <= rounds.rounds; round++) {
        for (int s = 0; s < servers.size(); s++) {
          Window window = run(servers.get(s), shape, round, rounds.leadNanos(), rounds.nanos());
          cells.get(s).rounds().add(window);
          say(
              "[%d/%d] %s, round %d/%d: %s %,.0f ops/s, %.2f us of CPU",
              i + 1,
              shapes.size(),
              shape,
              round,
              rounds.rounds,
              servers.get(s).name(),
              window.operationsPerSecond(),
              window.serverCpuMicros());
        }
      }
      all.addAll(cells);
    }
    return all;
  }

  private void prepare(Contender server, List<Shape> shapes) {
    say(
        "%s: writing %d keys, then %.1f s of warming up",
        server.name(), rounds.entries, rounds.warmUpSeconds);
    RawLoad.fill(server, rounds.entries);
    long each = Math.max(rounds.warmUpNanos() / shapes.size(), SHORTEST_WARM_UP_NANOS);
    for (Shape shape : shapes) {
      run(server, shape, 0, 0, each);
    }
  }

  private Window run(Contender server, Shape shape, int seed, long leadNanos, long nanos) {
    server.process().requireAlive();
    try (RawLoad load = new RawLoad(server, shape, rounds.entries, seed)) {
      return load.run(leadNanos, nanos);
    } catch (BenchException e) {
      server.process().requireAlive();
      throw new BenchException(server.name() + ", " + shape + ": " + e.getMessage(), e);
    }
  }

  private void say(String format, Object... what) {
    progress.printf(Locale.ROOT, format + "%n", what);
    progress.flush();
  }
}
