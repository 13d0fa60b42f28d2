package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What writes are held to, and whether they keep it. */
final class WriteGoals {
  /** Larger values have the bounds of 1 KiB, others those of 100 B. */
  private static final int SMALL_BYTES = 512;

  private WriteGoals() {}

  /** In the order of the cells, as far as the servers are there that are compared. */
  static List<Goal> of(List<Cell> cells) {
    Map<Record, Map<String, Cell>> shapes = new LinkedHashMap<>();
    for (Cell cell : cells) {
      shapes.computeIfAbsent(cell.shape(), _ -> new LinkedHashMap<>()).put(cell.server(), cell);
    }
    List<Goal> goals = new ArrayList<>();
    shapes.forEach((shape, servers) -> add(goals, (WriteShape) shape, servers));
    return goals;
  }

  private static void add(List<Goal> goals, WriteShape shape, Map<String, Cell> servers) {
    boolean small = shape.valueBytes() <= SMALL_BYTES;
    Cell everysec = servers.get(WriteRun.kvs(Durability.EVERYSEC));
    Cell none = servers.get(WriteRun.kvs(Durability.NONE));
    if (everysec != null && none != null) {
      double ratio = everysec.ratio(none, Window::serverCpuMicros);
      goals.add(
          new Goal(shape + ": CPU, kvs everysec / kvs none", ratio, true, small ? 1.25 : 1.5));
    }
    Cell peer = servers.get(WriteRun.redis(Durability.EVERYSEC));
    if (everysec != null && peer != null) {
      double ratio = everysec.ratio(peer, Window::serverCpuMicros);
      goals.add(
          new Goal(shape + ": CPU, kvs everysec / redis everysec", ratio, true, small ? 0.8 : 0.6));
    }
    Cell always = servers.get(WriteRun.kvs(Durability.ALWAYS));
    Cell alwaysPeer = servers.get(WriteRun.redis(Durability.ALWAYS));
    if (always != null && alwaysPeer != null) {
      double ratio = always.ratio(alwaysPeer, Window::operationsPerSecond);
      goals.add(new Goal(shape + ": writes/s, kvs always / redis always", ratio, false, 1));
    }
  }
}
