package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Servers under the same raw loads, in turns: A, B, A, B. All run; one at a time is loaded. */
final class RawComparison {
  private final Progress progress;
  private final Rounds rounds;
  private final Rate rate;
  private final String reference;
  private final Loads loads;
  private final List<WarmUp.Result> warmUps = new ArrayList<>();

  /**
   * @param progress gets a line for each step
   * @param rounds how often and how long
   * @param rate what is offered to all
   * @param reference the server that a share of a rate is of; it must be there then
   */
  RawComparison(Progress progress, Rounds rounds, Rate rate, String reference) {
    this(progress, rounds, rate, reference, new KeyLoads(rounds.entries()));
  }

  /** Compares servers under other loads than those of keys. */
  RawComparison(Progress progress, Rounds rounds, Rate rate, String reference, Loads loads) {
    this.progress = progress;
    this.rounds = rounds;
    this.rate = rate;
    this.reference = reference;
    this.loads = loads;
  }

  /** Fills, warms up and measures. The results of a shape are in the order of the servers. */
  List<Cell> measure(List<Contender> servers, List<Shape> shapes) {
    WarmUp warmUp = new WarmUp(progress, rounds.preparation, loads);
    servers.forEach(server -> warmUps.add(warmUp.of(server, shapes)));
    List<Cell> all = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      String at = String.format(Locale.ROOT, "[%d/%d] ", i + 1, shapes.size());
      Shape shape =
          rate instanceof Rate.Share share
              ? offered(servers, shapes.get(i), share, at)
              : shapes.get(i);
      all.addAll(measure(servers, shape, at));
    }
    return all;
  }

  /** How the servers were warmed up, in their order. */
  List<WarmUp.Result> warmUps() {
    return warmUps;
  }

  private Shape offered(List<Contender> servers, Shape shape, Rate.Share share, String at) {
    Contender server =
        servers.stream().filter(s -> s.name().equals(reference)).findFirst().orElseThrow();
    double reached = run(server, shape, 0).operationsPerSecond();
    long perSecond = share.of(reached);
    progress.say(
        "%s%s: %s reaches %,.0f ops/s: %,d are offered to all",
        at, shape, reference, reached, perSecond);
    return shape.at(perSecond);
  }

  private List<Cell> measure(List<Contender> servers, Shape shape, String at) {
    List<String> names = servers.stream().map(Contender::name).toList();
    return Turns.take(
        progress, at, shape, names, rounds.rounds, (i, round) -> run(servers.get(i), shape, round));
  }

  private Window run(Contender server, Shape shape, int seed) {
    return loads.once(server, shape, seed, rounds.leadNanos(), rounds.nanos());
  }
}
