package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What n connections to one member cost, when m messages at a time may be under way between two
 * members: for one workload and pipeline.
 *
 * @param mix the workload
 * @param pipeline requests that a connection sends at once
 * @param members of each cluster
 * @param connections each n, from the least
 * @param cells for each m the results, in the order of connections; m is 0 where each batch is a
 *     message of its own
 */
record ChannelCurve(
    Mix mix,
    int pipeline,
    int members,
    List<Integer> connections,
    SortedMap<Integer, List<Cell>> cells) {

  /**
   * Puts cells together to curves, in their order.
   *
   * @param channels m by the server's name; cells of other servers are left out
   */
  static List<ChannelCurve> of(List<Cell> cells, Map<String, Integer> channels) {
    Map<Shape, SortedMap<Integer, SortedMap<Integer, Cell>>> groups = new LinkedHashMap<>();
    for (Cell cell : cells) {
      Integer m = channels.get(cell.server());
      if (m != null && cell.shape() instanceof Shape shape) {
        groups
            .computeIfAbsent(withoutConnections(shape), _ -> new TreeMap<>())
            .computeIfAbsent(m, _ -> new TreeMap<>())
            .put(shape.connections(), cell);
      }
    }
    List<ChannelCurve> curves = new ArrayList<>();
    groups.forEach(
        (shape, byChannels) -> {
          SortedMap<Integer, List<Cell>> series = new TreeMap<>();
          byChannels.forEach((m, byN) -> series.put(m, List.copyOf(byN.values())));
          List<Integer> n = List.copyOf(byChannels.firstEntry().getValue().keySet());
          curves.add(new ChannelCurve(shape.mix(), shape.pipeline(), shape.members(), n, series));
        });
    return curves;
  }

  /** What the points of a curve have in common. */
  private static Shape withoutConnections(Shape shape) {
    return new Shape(shape.members(), 0, shape.pipeline(), shape.mix(), 0);
  }

  /** The entry member's processor time for an operation in microseconds, for each n. */
  List<Double> cpuMicros(int channels) {
    return figures(channels, Window::serverCpuMicros);
  }

  /** Operations in a second, for each n. */
  List<Double> operationsPerSecond(int channels) {
    return figures(channels, Window::operationsPerSecond);
  }

  private List<Double> figures(int channels, ToDoubleFunction<Window> figure) {
    return Objects.requireNonNull(cells.get(channels)).stream()
        .map(cell -> cell.median(figure))
        .toList();
  }

  /** What the results call m. */
  static String label(int channels) {
    return channels == 0 ? "m=off" : "m=" + channels;
  }

  /** Lines for a person: a line for each n, for each m a column. */
  String table() {
    StringBuilder table = new StringBuilder(toString()).append("\n  CPU us    n");
    cells.keySet().forEach(m -> table.append(String.format("%11s", label(m))));
    table.append("   ops/s");
    cells.keySet().forEach(m -> table.append(String.format("%11s", label(m))));
    for (int i = 0; i < connections.size(); i++) {
      int n = i;
      table.append(String.format("%n%13d", connections.get(i)));
      cells
          .keySet()
          .forEach(m -> table.append(String.format(Locale.ROOT, "%11.2f", cpuMicros(m).get(n))));
      table.append("        ");
      cells
          .keySet()
          .forEach(
              m ->
                  table.append(
                      String.format(Locale.ROOT, "%,11.0f", operationsPerSecond(m).get(n))));
    }
    return table.toString();
  }

  @Override
  public String toString() {
    return String.format("%d members, pipeline %d, %s", members, pipeline, mix.name());
  }
}
