package io.keyvalueserve.memory;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The NUMA nodes of a machine, which processors are on each, and how far they are from each other.
 * A kernel without NUMA has no nodes.
 */
final class NumaTopology {

  /** Farther than any distance the firmware gives: those are bytes. */
  static final int FAR = 256;

  /** The most nodes that a Linux kernel can be built for. */
  static final int MAX_NODES = 1024;

  private final Map<Integer, int[]> distances; // of each node, to the nodes in ascending order
  private final List<Integer> nodes;
  private final List<Integer> withMemory;
  private final int[] nodeOfCpu;

  private NumaTopology(Map<Integer, int[]> distances, List<Integer> withMemory, int[] nodeOfCpu) {
    this.distances = distances;
    this.nodes = List.copyOf(distances.keySet());
    this.withMemory = withMemory;
    this.nodeOfCpu = nodeOfCpu;
  }

  /** Reads {@code /sys/devices/system/node}. */
  static NumaTopology read(Path directory) {
    Map<Integer, int[]> distances = new TreeMap<>();
    int[] nodeOfCpu = {};
    for (int node : listed(directory.resolve("online"))) {
      Path of = directory.resolve("node" + node);
      int[] row =
          Machine.firstLine(of.resolve("distance"))
              .map(
                  line ->
                      Arrays.stream(line.split("\\s+", -1)).mapToInt(Integer::parseInt).toArray())
              .orElse(new int[0]);
      distances.put(node, row);
      for (int cpu : listed(of.resolve("cpulist"))) {
        int known = nodeOfCpu.length;
        if (cpu >= known) {
          nodeOfCpu = Arrays.copyOf(nodeOfCpu, cpu + 1);
          Arrays.fill(nodeOfCpu, known, cpu + 1, -1);
        }
        nodeOfCpu[cpu] = node;
      }
    }
    List<Integer> withMemory = listed(directory.resolve("has_memory"));
    return new NumaTopology(
        distances, withMemory.isEmpty() ? List.copyOf(distances.keySet()) : withMemory, nodeOfCpu);
  }

  /** Returns the numbers of the nodes, ascending. */
  List<Integer> nodes() {
    return nodes;
  }

  /** Returns the nodes that have memory; one may have processors only. */
  List<Integer> nodesWithMemory() {
    return withMemory;
  }

  /** Returns the node of a processor, -1 when it is not known. */
  int nodeOfCpu(int cpu) {
    return cpu >= 0 && cpu < nodeOfCpu.length ? nodeOfCpu[cpu] : -1;
  }

  /** Returns the firmware's distance (10 is the node itself), {@link #FAR} when not known. */
  int distance(int from, int to) {
    int[] row = distances.get(from);
    int column = nodes.indexOf(to);
    return row == null || column < 0 || column >= row.length ? FAR : row[column];
  }

  private static List<Integer> listed(Path file) {
    return Machine.firstLine(file).map(Machine::numbers).orElse(List.of());
  }
}
