package io.keyvalueserve.memory;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The order in which a thread tries the pools of a tier: groups of pools of the same distance, the
 * nearest group first. Immutable.
 */
final class NearestPools {

  private final int[][][] groupsOfNode; // by the node of the thread
  private final int[][] anywhere; // for a thread whose node is not known

  private NearestPools(int[][][] groupsOfNode, int[][] anywhere) {
    this.groupsOfNode = groupsOfNode;
    this.anywhere = anywhere;
  }

  /** Puts all pools into one group, wherever the thread is. */
  static NearestPools allAlike(int pools) {
    int[] all = new int[pools];
    Arrays.setAll(all, i -> i);
    return new NearestPools(new int[0][][], new int[][] {all});
  }

  /** Orders pools, given by their nodes, for the threads of every node. */
  static NearestPools of(int[] nodeOfPool, NumaTopology topology) {
    int last = topology.nodes().isEmpty() ? -1 : topology.nodes().getLast();
    int[][][] groups = new int[last + 1][][];
    for (int node = 0; node <= last; node++) {
      SortedMap<Integer, int[]> byDistance = new TreeMap<>();
      for (int pool = 0; pool < nodeOfPool.length; pool++) {
        int[] one = {pool};
        byDistance.merge(topology.distance(node, nodeOfPool[pool]), one, NearestPools::concatenate);
      }
      groups[node] = byDistance.values().toArray(int[][]::new);
    }
    return new NearestPools(groups, allAlike(nodeOfPool.length).anywhere);
  }

  /** Returns the groups for a thread on a node, -1 when that is not known. */
  int[][] groups(int node) {
    return node >= 0 && node < groupsOfNode.length ? groupsOfNode[node] : anywhere;
  }

  private static int[] concatenate(int[] a, int[] b) {
    int[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }
}
