package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Queries side by side: beside the best peer, beside seed 001, and beside the goals. */
final class QueryReport {
  private static final double MOST_OF_PEER_HALF = 0.1;
  private static final double MOST_OF_PEER_FEW = 0.2;
  private static final int LARGE = 100_000;
  private static final double MOST_MILLIS_FEW = 1;
  private static final double MOST_PLAN_MICROS = 50;
  private static final double MOST_OF_GET = 2;

  /** The data and clients that cells have in common. */
  private record Setting(int entries, String indexes, int clients) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%,d entries, %s indexes, %d clients", entries, indexes, clients);
    }
  }

  /** The results of each setting, by server and by query. */
  private final Map<Setting, Map<QueryContender, Map<Query, Cell>>> settings =
      new LinkedHashMap<>();

  private final List<Query> queries;

  QueryReport(List<Cell> cells, List<QueryContender> contenders, List<Query> queries) {
    this.queries = queries;
    for (Cell cell : cells) {
      QueryShape shape = (QueryShape) cell.shape();
      QueryContender contender =
          contenders.stream()
              .filter(each -> each.toString().equals(cell.server()))
              .findFirst()
              .orElseThrow();
      settings
          .computeIfAbsent(
              new Setting(shape.entries(), shape.indexes(), shape.clients()),
              _ -> new LinkedHashMap<>())
          .computeIfAbsent(contender, _ -> new LinkedHashMap<>())
          .put(shape.query(), cell);
    }
  }

  /** Lines for a person. */
  String tables() {
    Table table = new Table("", 26, 11);
    section(table, "server CPU of a query, ms", 3, QueryReport::millis);
    if (settings.values().stream().anyMatch(QueryReport::isComparison)) {
      table.row("\nCPU x the best peer's", names());
      settings.forEach(
          (setting, servers) -> {
            table.line("%s", setting);
            servers.keySet().stream()
                .filter(QueryContender::isOurs)
                .forEach(
                    own -> table.row("  " + own, each(query -> ofBestPeer(servers, own, query))));
          });
    }
    section(table, "queries/s", 1, cell -> cell.median(Window::operationsPerSecond));
    table.line("seed 001: four nodes on 4 cores, the average of 1 to 128 clients");
    for (SeedQueries seed : SeedQueries.ALL) {
      if (settings.keySet().stream().anyMatch(setting -> setting.entries == seed.entries())) {
        table.row(
            "  " + seed.system() + ", " + Table.count(seed.entries()),
            each(query -> figure(seed.of(query), 1)));
      }
    }
    section(table, "rows/s, thousands", 1, QueryReport::thousandRows);
    return table.toString();
  }

  private static double millis(Cell cell) {
    return cell.median(Window::serverCpuMicros) / 1e3;
  }

  private static double thousandRows(Cell cell) {
    int rows = ((QueryShape) cell.shape()).rows();
    return cell.median(Window::operationsPerSecond) * rows / 1e3;
  }

  private static boolean isComparison(Map<QueryContender, Map<Query, Cell>> servers) {
    return servers.keySet().stream().map(QueryContender::isOurs).distinct().count() == 2;
  }

  private void section(Table table, String title, int digits, ToDoubleFunction<Cell> figure) {
    table.row("\n" + title, names());
    settings.forEach(
        (setting, servers) -> {
          table.line("%s", setting);
          servers.forEach(
              (server, cells) ->
                  table.row(
                      "  " + server,
                      each(
                          query -> {
                            Cell cell = cells.get(query);
                            return cell == null ? "-" : figure(figure.applyAsDouble(cell), digits);
                          })));
        });
  }

  private String ofBestPeer(
      Map<QueryContender, Map<Query, Cell>> servers, QueryContender own, Query query) {
    Cell cell = servers.getOrDefault(own, Map.of()).get(query);
    return cell == null
        ? "-"
        : bestPeer(servers, query)
            .map(peer -> figure(cell.ratio(peer, Window::serverCpuMicros), 2))
            .orElse("-");
  }

  /** The peer whose server takes the least processor time. */
  private static Optional<Cell> bestPeer(
      Map<QueryContender, Map<Query, Cell>> servers, Query query) {
    return peers(servers, query)
        .min(Comparator.comparingDouble(cell -> cell.median(Window::serverCpuMicros)));
  }

  private static Stream<Cell> peers(Map<QueryContender, Map<Query, Cell>> servers, Query query) {
    return servers.entrySet().stream()
        .filter(server -> !server.getKey().isOurs() && server.getValue().containsKey(query))
        .map(server -> server.getValue().get(query));
  }

  private String[] names() {
    return each(Query::toString);
  }

  private String[] each(Function<Query, String> one) {
    return queries.stream().map(one).toArray(String[]::new);
  }

  private static String figure(double value, int digits) {
    return Double.isFinite(value) ? Table.figure(value, digits) : "-";
  }

  /** Compares this product's figures with their goals, as far as they were measured. */
  List<Goal> goals() {
    List<Goal> goals = new ArrayList<>();
    settings.forEach(
        (setting, servers) ->
            servers.forEach(
                (server, cells) -> {
                  if (server.isOurs()) {
                    cells.forEach(
                        (query, cell) ->
                            goals(setting, server, query, cell, bestPeer(servers, query), goals));
                    planned(setting, server, cells, goals);
                  }
                }));
    return goals;
  }

  private static void goals(
      Setting setting,
      QueryContender server,
      Query query,
      Cell cell,
      Optional<Cell> best,
      List<Goal> goals) {
    String what = String.format(Locale.ROOT, "%s, %s, %s", server, query, setting);
    best.ifPresent(
        peer -> {
          double most =
              query.isPoint() ? 1 : query.returnsHalf() ? MOST_OF_PEER_HALF : MOST_OF_PEER_FEW;
          double ratio = cell.ratio(peer, Window::serverCpuMicros);
          goals.add(new Goal(what + ": CPU x " + peer.server(), ratio, true, most));
          goals.add(
              new Goal(
                  what + ": queries/s x " + peer.server(),
                  cell.ratio(peer, Window::operationsPerSecond),
                  false,
                  1));
        });
    if (query == Query.Q3 && setting.entries == LARGE) {
      goals.add(new Goal(what + ": CPU ms", millis(cell), true, MOST_MILLIS_FEW));
    }
  }

  /** A statement whose plan is known costs what a get does, what it parses and what it answers. */
  private static void planned(
      Setting setting, QueryContender server, Map<Query, Cell> cells, List<Goal> goals) {
    Cell get = cells.get(Query.GET);
    Cell point = cells.get(Query.POINT);
    if (get != null && point != null) {
      String what = String.format(Locale.ROOT, "%s, %s: point query's CPU ", server, setting);
      double ratio = point.ratio(get, Window::serverCpuMicros);
      goals.add(new Goal(what + "x a get's", ratio, true, MOST_OF_GET));
      double more = point.median(Window::serverCpuMicros) - get.median(Window::serverCpuMicros);
      goals.add(
          new Goal(
              what + "above a get's, us, which includes the cached plan",
              more,
              true,
              MOST_PLAN_MICROS));
    }
  }
}
