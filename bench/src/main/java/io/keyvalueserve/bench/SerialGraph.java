package io.keyvalueserve.bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Transactions and what says that one comes before another. Finds short cycles: a history without
 * any can be put into an order. Not thread-safe.
 *
 * <p>Strongly connected components are found as in R. Tarjan, "Depth-first search and linear graph
 * algorithms", SIAM Journal on Computing 1(2), 1972. The order in time is a chain of moments at
 * which transactions returned, so it takes as many edges as there are transactions.
 */
final class SerialGraph {
  /** From how many transactions of a component shortest cycles are looked for. */
  private static final int MOST_STARTS = 2_000;

  private static final Set<Kind> WRITES = EnumSet.of(Kind.WRITE_WRITE);
  private static final Set<Kind> INFORMATION = EnumSet.of(Kind.WRITE_WRITE, Kind.WRITE_READ);
  private static final Set<Kind> DATA =
      EnumSet.of(Kind.WRITE_WRITE, Kind.WRITE_READ, Kind.READ_WRITE);
  private static final Set<Kind> ALL = EnumSet.allOf(Kind.class);

  /** Reasons why a transaction comes before another. */
  enum Kind {
    /** The other one's element is next to its own in a list. */
    WRITE_WRITE,

    /** The other one saw its element as the last of a list. */
    WRITE_READ,

    /** It saw a list that did not have the other one's element yet. */
    READ_WRITE,

    /** It returned before the other one was sent. */
    REAL_TIME
  }

  /**
   * An edge between two transactions.
   *
   * @param key where both were; empty for {@link Kind#REAL_TIME}
   * @param element which was appended by the first one, or not seen by it
   */
  record Edge(int from, int to, Kind kind, String key, long element) {}

  private final int transactions;
  private final List<List<Edge>> edges = new ArrayList<>();

  /**
   * @param transactions how many there are, numbered from 0
   */
  SerialGraph(int transactions) {
    this.transactions = transactions;
    for (int i = 0; i < transactions; i++) {
      edges.add(new ArrayList<>());
    }
  }

  /** Notes that one transaction comes before another; nothing if both are the same. */
  void add(int from, int to, Kind kind, String key, long element) {
    if (from != to) {
      edges.get(from).add(new Edge(from, to, kind, key, element));
    }
  }

  /**
   * Notes the order in time.
   *
   * @param invoked when each was sent
   * @param returned when each returned; {@link Long#MAX_VALUE} if it did not
   */
  void addTimes(long[] invoked, long[] returned) {
    long[] moments = Arrays.stream(returned).filter(each -> each != Long.MAX_VALUE).toArray();
    Arrays.sort(moments);
    int first = edges.size();
    for (int i = 0; i < moments.length; i++) {
      edges.add(new ArrayList<>());
      if (i > 0) {
        time(first + i - 1, first + i);
      }
    }
    for (int i = 0; i < transactions; i++) {
      if (returned[i] != Long.MAX_VALUE) {
        time(i, first + before(moments, returned[i]));
      }
      int last = before(moments, invoked[i]) - 1;
      if (last >= 0) {
        time(first + last, i);
      }
    }
  }

  /** How many moments are before one. */
  private static int before(long[] moments, long moment) {
    int low = 0;
    int high = moments.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (moments[middle] < moment) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void time(int from, int to) {
    edges.get(from).add(new Edge(from, to, Kind.REAL_TIME, "", 0));
  }

  /**
   * Returns a short cycle of each component that has one, those of fewer kinds of edges first. An
   * edge of time between two transactions is one edge here.
   */
  List<List<Edge>> cycles() {
    List<List<Edge>> found = new ArrayList<>();
    for (Set<Kind> kinds : List.of(WRITES, INFORMATION, DATA, ALL)) {
      for (int[] component : components(kinds)) {
        if (found.stream().noneMatch(each -> isWithin(each, component))) {
          List<Edge> cycle = shortest(component, kinds);
          if (cycle != null) {
            found.add(cycle);
          }
        }
      }
    }
    return found;
  }

  private static boolean isWithin(List<Edge> cycle, int[] component) {
    Set<Integer> those = new HashSet<>();
    Arrays.stream(component).forEach(those::add);
    return cycle.stream().allMatch(each -> those.contains(each.from()));
  }

  private @Nullable List<Edge> shortest(int[] component, Set<Kind> kinds) {
    boolean[] inside = new boolean[edges.size()];
    for (int node : component) {
      inside[node] = true;
    }
    List<Edge> best = null;
    if (kinds.equals(DATA)) {
      best = shortestWithOneUnseen(component, inside);
    }
    if (best == null) {
      int step = Math.max(1, component.length / MOST_STARTS);
      for (int i = 0; i < component.length; i += step) {
        if (component[i] < transactions) {
          best = shorter(best, path(component[i], component[i], inside, kinds));
        }
      }
    }
    return best;
  }

  /** A cycle with exactly one edge from a read to a write that it did not see, if there is one. */
  private @Nullable List<Edge> shortestWithOneUnseen(int[] component, boolean[] inside) {
    List<Edge> best = null;
    for (int node : component) {
      for (Edge edge : edges.get(node)) {
        if (edge.kind() == Kind.READ_WRITE && inside[edge.to()]) {
          List<Edge> back = path(edge.to(), node, inside, INFORMATION);
          if (back != null) {
            back.addFirst(edge);
            best = shorter(best, back);
          }
        }
      }
    }
    return best;
  }

  private static @Nullable List<Edge> shorter(
      @Nullable List<Edge> one, @Nullable List<Edge> other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return other.size() < one.size() ? other : one;
  }

  /** The shortest path of one edge or more; steps along the moments cost nothing. */
  private @Nullable List<Edge> path(int from, int to, boolean[] inside, Set<Kind> kinds) {
    int[] cost = new int[edges.size()];
    Arrays.fill(cost, Integer.MAX_VALUE);
    Edge[] by = new Edge[edges.size()];
    Deque<Integer> next = new ArrayDeque<>();
    next.add(from);
    boolean begun = false;
    while (!next.isEmpty()) {
      int node = next.poll();
      if (node == to && begun) {
        return unfold(from, to, by);
      }
      int reached = begun ? cost[node] : 0;
      begun = true;
      for (Edge edge : edges.get(node)) {
        int more = node >= transactions ? 0 : 1;
        if (inside[edge.to()] && kinds.contains(edge.kind()) && reached + more < cost[edge.to()]) {
          cost[edge.to()] = reached + more;
          by[edge.to()] = edge;
          if (more == 0) {
            next.addFirst(edge.to());
          } else {
            next.addLast(edge.to());
          }
        }
      }
    }
    return null;
  }

  /** The edges of a path, with one for each way through moments. */
  private List<Edge> unfold(int from, int to, @Nullable Edge[] by) {
    List<Edge> path = new ArrayList<>();
    int at = to;
    int end = to;
    do {
      Edge edge = by[at];
      if (edge == null) {
        throw new IllegalStateException("a path ends before its beginning");
      }
      at = edge.from();
      if (at < transactions) {
        path.add(
            edge.to() < transactions && edge.to() == end && edge.kind() != Kind.REAL_TIME
                ? edge
                : new Edge(at, end, Kind.REAL_TIME, "", 0));
        end = at;
      }
    } while (at != from);
    Collections.reverse(path);
    return path;
  }

  /** The strongly connected components of two transactions or more, without recursion. */
  private List<int[]> components(Set<Kind> kinds) {
    int size = edges.size();
    int[] index = new int[size];
    int[] low = new int[size];
    int[] position = new int[size];
    boolean[] open = new boolean[size];
    int[] path = new int[size];
    int[] stack = new int[size];
    int stacked = 0;
    int count = 0;
    List<int[]> components = new ArrayList<>();
    for (int root = 0; root < size; root++) {
      if (index[root] != 0) {
        continue;
      }
      int depth = 0;
      path[0] = root;
      while (depth >= 0) {
        int node = path[depth];
        if (index[node] == 0) {
          index[node] = ++count;
          low[node] = count;
          stack[stacked++] = node;
          open[node] = true;
        }
        List<Edge> out = edges.get(node);
        int child = -1;
        while (child < 0 && position[node] < out.size()) {
          Edge edge = out.get(position[node]++);
          if (!kinds.contains(edge.kind())) {
            continue;
          }
          if (index[edge.to()] == 0) {
            child = edge.to();
          } else if (open[edge.to()]) {
            low[node] = Math.min(low[node], index[edge.to()]);
          }
        }
        if (child >= 0) {
          path[++depth] = child;
          continue;
        }
        if (low[node] == index[node]) {
          int end = stacked;
          do {
            open[stack[--stacked]] = false;
          } while (stack[stacked] != node);
          if (end - stacked > 1) {
            components.add(Arrays.copyOfRange(stack, stacked, end));
          }
        }
        depth--;
        if (depth >= 0) {
          low[path[depth]] = Math.min(low[path[depth]], low[node]);
        }
      }
    }
    return components;
  }
}
