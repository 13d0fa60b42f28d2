package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Servers that answer the same queries about the same data, in turns: A, B, A, B. */
final class QueryComparison {
  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Progress progress;
  private final List<QueryContender> contenders;
  private final List<ClientFleet> fleets;
  private final List<WarmUp.Result> warmUps;
  private final int rounds;
  private final long nanos;
  private final long warmUpNanos;

  /**
   * @param fleets clients of the contenders, in their order
   * @param nanos how long a turn lasts
   * @param warmUpNanos how long each is warmed up at most, for each map
   * @param warmUps is told how that went
   */
  QueryComparison(
      Progress progress,
      List<QueryContender> contenders,
      List<ClientFleet> fleets,
      int rounds,
      long nanos,
      long warmUpNanos,
      List<WarmUp.Result> warmUps) {
    this.progress = progress;
    this.contenders = contenders;
    this.fleets = fleets;
    this.rounds = rounds;
    this.nanos = nanos;
    this.warmUpNanos = warmUpNanos;
    this.warmUps = warmUps;
  }

  /**
   * Fills a map of each server, warms up, measures, and removes the maps.
   *
   * @param index null if each has its own
   * @param clients how many, the fewest first
   */
  List<Cell> measure(
      int entries, @Nullable QueryIndex index, List<Integer> clients, List<Query> queries) {
    String indexes = index == null ? "own" : index.toString();
    List<Query.Expected> expected = queries.stream().map(query -> query.expected(entries)).toList();
    List<QueryLoad.Place> places = new ArrayList<>();
    for (QueryContender contender : contenders) {
      places.add(
          new QueryLoad.Place(
              "people-" + entries + "-" + indexes,
              index == null ? contender.index : index,
              entries,
              QueryLoad.Step.ASK));
    }
    fill(places, queries, expected, clients.getFirst());
    List<Cell> cells = new ArrayList<>();
    for (int count : clients) {
      for (int i = 0; i < fleets.size(); i++) {
        warmUp(i, count, places.get(i), queries, expected);
      }
      for (int q = 0; q < queries.size(); q++) {
        QueryShape shape =
            new QueryShape(entries, indexes, count, queries.get(q), expected.get(q).rows());
        cells.addAll(measure(shape, places, expected.get(q), q + 1, queries.size()));
      }
    }
    for (int i = 0; i < fleets.size(); i++) {
      fleets.get(i).have(order(i, 1, step(places.get(i), QueryLoad.Step.CLEAR), null));
    }
    return cells;
  }

  /** Writes all people, and reads one answer to each query in full. */
  private void fill(
      List<QueryLoad.Place> places,
      List<Query> queries,
      List<Query.Expected> expected,
      int clients) {
    for (int i = 0; i < fleets.size(); i++) {
      QueryLoad.Place place = places.get(i);
      progress.say("%s: writing %,d people", contenders.get(i), place.entries());
      int server = i;
      ClientFleet fleet = fleets.get(i);
      fleet.grow(Math.max(1, clients), share -> order(server, share, place, null));
      fleet.have(order(i, 1, step(place, QueryLoad.Step.FILL), null));
      for (int q = 0; q < queries.size(); q++) {
        if (contenders.get(i).answers(queries.get(q))) {
          fleet.have(order(i, 1, place, work(queries.get(q), expected.get(q), 0, 0, 0)));
        }
      }
    }
  }

  private void warmUp(
      int server,
      int clients,
      QueryLoad.Place place,
      List<Query> queries,
      List<Query.Expected> expected) {
    ClientFleet fleet = fleets.get(server);
    fleet.grow(clients, share -> order(server, share, place, null));
    List<Integer> asked = new ArrayList<>();
    for (int q = 0; q < queries.size(); q++) {
      if (contenders.get(server).answers(queries.get(q))) {
        asked.add(q);
      }
    }
    if (warmUpNanos > 0 && !asked.isEmpty()) {
      warmUps.add(
          WarmUp.settle(
              progress,
              String.format(Locale.ROOT, "%s, %s", contenders.get(server), place.map()),
              warmUpNanos,
              asked.size(),
              (shape, seed, time) -> {
                int q = asked.get(shape);
                return run(server, clients, place, queries.get(q), expected.get(q), 0, time, seed);
              }));
    }
  }

  private List<Cell> measure(
      QueryShape shape, List<QueryLoad.Place> places, Query.Expected expected, int number, int of) {
    List<Integer> asked = new ArrayList<>();
    for (int i = 0; i < fleets.size(); i++) {
      if (contenders.get(i).answers(shape.query())) {
        asked.add(i);
      }
    }
    return Turns.take(
        progress,
        String.format(Locale.ROOT, "[%d/%d] ", number, of),
        shape,
        asked.stream().map(i -> contenders.get(i).toString()).toList(),
        rounds,
        (i, round) -> {
          int server = asked.get(i);
          return run(
              server,
              shape.clients(),
              places.get(server),
              shape.query(),
              expected,
              LEAD_NANOS,
              nanos,
              round * 1000L);
        });
  }

  private Window run(
      int server,
      int clients,
      QueryLoad.Place place,
      Query query,
      Query.Expected expected,
      long lead,
      long time,
      long seed) {
    return fleets
        .get(server)
        .run(
            clients,
            clients,
            (process, share, from, to) ->
                order(
                    server,
                    share,
                    place,
                    work(query, expected, from, to, seed * 1000 + process * 100L)),
            lead,
            time);
  }

  private static QueryLoad.Work work(
      Query query, Query.Expected expected, long from, long to, long seed) {
    return new QueryLoad.Work(query, expected.rows(), expected.sum(), from, to, seed);
  }

  private static QueryLoad.Place step(QueryLoad.Place place, QueryLoad.Step step) {
    return new QueryLoad.Place(place.map(), place.index(), place.entries(), step);
  }

  private QueryLoad.Order order(
      int server, int clients, QueryLoad.Place place, QueryLoad.@Nullable Work work) {
    return new QueryLoad.Order(
        contenders.get(server), fleets.get(server).grid().login(), clients, place, work);
  }
}
