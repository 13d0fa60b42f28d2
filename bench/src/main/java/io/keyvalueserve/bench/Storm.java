package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The same storm of connections at one server after the other. All run; one has its storm. */
final class Storm {
  private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final int FEW_CONNECTIONS = 32;
  static final int STRAY_FILES = 2;
  private static final double MIB = 1 << 20;

  private final Progress progress;
  private final StormPlan plan;

  /**
   * @param progress gets a line for each step
   */
  Storm(Progress progress, StormPlan plan) {
    this.progress = progress;
    this.plan = plan;
  }

  /** Fills, warms up, and measures the servers in turns. */
  List<StormResult> measure(List<StormServer> servers, StormShape shape) {
    for (StormServer server : servers) {
      OpenFiles.require(
          server.name(),
          server.process().openFilesLimit(),
          shape.connections(),
          plan.option(shape));
    }
    List<Integer> files = servers.stream().map(server -> server.process().openFiles()).toList();
    servers.forEach(server -> warmUp(server, shape));
    for (int i = 0; i < files.size(); i++) {
      awaitClosed(servers.get(i), files.get(i), System.nanoTime());
    }
    List<StormResult> results = new ArrayList<>();
    for (int round = 1; round <= plan.rounds.rounds; round++) {
      for (StormServer server : servers) {
        server.process().requireAlive();
        try {
          results.add(measure(server, shape, round));
        } catch (BenchException e) {
          server.process().requireAlive();
          throw new BenchException(server.name() + ", " + shape + ": " + e.getMessage(), e);
        }
      }
    }
    return results;
  }

  /** Few connections at full speed: code is compiled, and the heap as large as it gets. */
  private void warmUp(StormServer server, StormShape shape) {
    Shape few = new Shape(1, FEW_CONNECTIONS, 1, shape.mix(), 0);
    new WarmUp(progress, plan.rounds.preparation).of(server.contender(), List.of(few));
  }

  private StormResult measure(StormServer server, StormShape shape, int round) {
    Footprint before = server.footprint();
    Opening opening;
    Activity activity;
    Footprint opened;
    long begin;
    try (StormLoad load = new StormLoad(server.contender(), shape, plan.rounds.entries(), round)) {
      progress.say("%s: %s, round %d/%d", server.name(), shape, round, plan.rounds.rounds);
      opening = load.open();
      progress.say(
          "%s: %,d of %,d open after %.2f s%s",
          server.name(),
          opening.answered(),
          opening.asked(),
          opening.seconds(),
          opening.refused() == 0 ? "" : "; refused: " + opening.refusals());
      if (opening.answered() == 0) {
        throw new BenchException("no connection was answered: " + opening.refusals());
      }
      activity = load.act(plan.leadNanos(), plan.rounds.nanos());
      opened = server.footprint();
      begin = System.nanoTime();
    }
    awaitClosed(server, before.openFiles(), begin);
    long closedNanos = System.nanoTime() - begin;
    boolean healthy = server.isHealthy(shape, plan.rounds.entries());
    StormResult result =
        new StormResult(
            shape,
            server.name(),
            round,
            server.java(),
            opening,
            activity,
            before,
            opened,
            server.footprint(),
            closedNanos,
            healthy);
    progress.say(
        "%s: %,.0f ops/s, p99 %,.0f us; %,.0f B of RSS for a connection; closed again, RSS %.0f"
            + " MiB, was %.0f before; %s",
        server.name(),
        activity.window().operationsPerSecond(),
        activity.window().micros(99),
        result.residentBytesEach(),
        result.closed().residentBytes() / MIB,
        before.residentBytes() / MIB,
        healthy ? "healthy" : "NOT healthy");
    return result;
  }

  /** Waits until the server, too, has closed the connections; some files may be other ones. */
  private static void awaitClosed(StormServer server, int files, long begin) {
    while (server.process().openFiles() > files + STRAY_FILES
        && System.nanoTime() - begin < CLOSING_NANOS) {
      Clock.sleepMillis(10);
    }
  }
}
