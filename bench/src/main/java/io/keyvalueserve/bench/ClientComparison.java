package io.keyvalueserve.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Clusters under the same real clients, in turns: A, B, A, B. */
final class ClientComparison {
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final Mix WARM_UP = new Mix("warming up", 50, false);
  private static final int WARM_UP_CONNECTIONS = 64;

  /** New clients are cold, the servers are not any more: they need little time. */
  private static final long CLIENTS_WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final Progress progress;
  private final Rounds rounds;
  private final List<WarmUp.Result> warmUps = new ArrayList<>();

  ClientComparison(Progress progress, Rounds rounds) {
    this.progress = progress;
    this.rounds = rounds;
  }

  /**
   * Fills, warms up and measures. The results of a shape are in the order of the clusters.
   *
   * @param grids clusters of the same size
   * @param shapes with the fewest clients first
   * @param folder for the clients' output
   */
  List<Cell> measure(List<Grid> grids, List<ClientShape> shapes, Path folder) {
    List<ClientFleet> fleets = new ArrayList<>();
    try {
      for (Grid grid : grids) {
        warmUp(grid);
        fleets.add(new ClientFleet(grid, folder.resolve(grid.name() + "-clients")));
      }
      List<Cell> all = new ArrayList<>();
      int there = 0;
      for (int i = 0; i < shapes.size(); i++) {
        ClientShape shape = shapes.get(i);
        if (shape.clients() > there) {
          there = shape.clients();
          grow(fleets, shape);
        }
        String at = String.format(Locale.ROOT, "[%d/%d] ", i + 1, shapes.size());
        all.addAll(measure(fleets, shape, at));
      }
      return all;
    } finally {
      fleets.forEach(ClientFleet::close);
    }
  }

  /** How the clusters were warmed up, in their order. */
  List<WarmUp.Result> warmUps() {
    return warmUps;
  }

  private void warmUp(Grid grid) {
    Shape shape = new Shape(1, WARM_UP_CONNECTIONS, 1, WARM_UP, 0);
    Contender server = grid.raw(rounds.entries(), rounds.valueBytes());
    warmUps.add(new WarmUp(progress, rounds.preparation).of(server, List.of(shape)));
  }

  private void grow(List<ClientFleet> fleets, ClientShape shape) {
    ClientShape warmUp =
        new ClientShape(shape.members(), shape.clients(), shape.threads(), WARM_UP);
    long nanos = Math.min(CLIENTS_WARM_UP_NANOS, rounds.preparation.warmUpNanos() + 1);
    for (ClientFleet fleet : fleets) {
      progress.say(
          "%s: connecting clients, %d in all, and warming them up",
          fleet.grid().name(), shape.clients());
      fleet.grow(shape.clients(), share -> new ClientLoad.Order(fleet.grid().login(), share, null));
      run(fleet, warmUp, 0, nanos, 0);
    }
  }

  private List<Cell> measure(List<ClientFleet> fleets, ClientShape shape, String at) {
    return Turns.take(
        progress,
        at,
        shape,
        fleets.stream().map(fleet -> fleet.grid().name()).toList(),
        rounds.rounds,
        (i, round) -> run(fleets.get(i), shape, LEAD_NANOS, rounds.nanos(), round));
  }

  private Window run(ClientFleet fleet, ClientShape shape, long leadNanos, long nanos, long seed) {
    ClientFleet.Orders orders =
        (process, clients, from, to) ->
            new ClientLoad.Order(
                fleet.grid().login(),
                clients,
                new ClientLoad.Work(
                    shape.threads(),
                    shape.mix(),
                    rounds.entries(),
                    rounds.valueBytes(),
                    from,
                    to,
                    seed * 1_000_000 + process * 10_000L));
    return fleet.run(shape.clients(), shape.clients() * shape.threads(), orders, leadNanos, nanos);
  }
}
