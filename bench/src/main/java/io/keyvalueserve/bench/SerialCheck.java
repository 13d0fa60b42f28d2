package io.keyvalueserve.bench;

import io.keyvalueserve.bench.ListTransaction.Append;
import io.keyvalueserve.bench.ListTransaction.Outcome;
import io.keyvalueserve.bench.ListTransaction.Read;
import io.keyvalueserve.bench.ListTransaction.Step;
import io.keyvalueserve.bench.SerialAnomaly.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether transactions could have been carried out one after the other, each between its
 * call and its answer (strict serializability). Used once, by one thread.
 *
 * <p>This is the method of K. Kingsbury and P. Alvaro, "Elle: Inferring Isolation Anomalies from
 * Experimental Observations", PVLDB 14(3), 2020. Transactions append numbers to lists, each number
 * once, and read whole lists. So a read of a list tells in which order its numbers came, and who
 * read which state. That gives dependencies between transactions as in A. Adya, "Weak Consistency",
 * MIT, 1999. Together with the order in time they must have no cycle. The check takes time in
 * proportion to the lengths of all lists that were read, as long as it finds nothing.
 *
 * <p>A transaction with an unknown outcome counts as carried out if a read has seen it. Then what
 * it had read before its last request counts too.
 */
final class SerialCheck {
  /** The state of a key that a transaction found, without what it had appended itself. */
  private record Found(int transaction, List<Long> elements) {}

  private final List<ListTransaction> history;
  private final long originNanos;
  private final List<SerialAnomaly> anomalies = new ArrayList<>();
  private final Map<Long, Integer> writers = new HashMap<>();
  private final Map<Long, String> places = new HashMap<>();
  private final Map<String, List<Found>> found = new LinkedHashMap<>();

  /**
   * The longest list that was read of each key, with what its reader had appended itself. Among
   * equally long ones, the latest.
   */
  private final Map<String, List<Long>> orders = new HashMap<>();

  private final Map<String, Integer> orderReaders = new HashMap<>();

  /** Transactions with an unknown outcome that were carried out, as others saw them. */
  private final Set<Integer> seen = new HashSet<>();

  /** Elements that were lost for sure, or only seen in lists that others contradict. */
  private final Set<Long> explained = new HashSet<>();

  private SerialCheck(List<ListTransaction> history) {
    this.history = history;
    this.originNanos = history.stream().mapToLong(ListTransaction::invokedNanos).min().orElse(0);
  }

  /**
   * Checks a history.
   *
   * @param history all transactions that have changed or read some keys since these were empty, in
   *     any order
   * @return what no serial history has; nothing if all is well
   * @throws IllegalArgumentException if two transactions append the same number
   */
  static List<SerialAnomaly> check(List<ListTransaction> history) {
    return new SerialCheck(List.copyOf(history)).run();
  }

  private List<SerialAnomaly> run() {
    for (int i = 0; i < history.size(); i++) {
      for (Append append : history.get(i).appends()) {
        if (writers.put(append.element(), i) != null) {
          throw new IllegalArgumentException("two appends of " + append.element());
        }
        places.put(append.element(), append.key());
      }
    }
    findSeen();
    for (int i = 0; i < history.size(); i++) {
      if (history.get(i).isDone() || seen.contains(i)) {
        reads(i);
      }
    }
    found.keySet().forEach(this::order);
    lost();
    cycles();
    return anomalies;
  }

  /** Notes which transactions with an unknown outcome were seen by others. */
  private void findSeen() {
    for (ListTransaction reader : history) {
      for (Step step : reader.isDone() ? reader.steps() : List.<Step>of()) {
        if (step instanceof Read(String _, List<Long> elements)) {
          for (Long element : elements) {
            Integer writer = writers.get(element);
            if (writer != null && history.get(writer).outcome() == Outcome.UNKNOWN) {
              seen.add(writer);
            }
          }
        }
      }
    }
  }

  // ---- what one transaction saw

  private void reads(int number) {
    Map<String, List<Long>> own = new HashMap<>();
    Map<String, List<Long>> before = new HashMap<>();
    for (Step step : history.get(number).steps()) {
      switch (step) {
        case Append(String key, long element) ->
            own.computeIfAbsent(key, _ -> new ArrayList<>()).add(element);
        case Read read -> read(number, read, own.getOrDefault(read.key(), List.of()), before);
      }
    }
  }

  private void read(int number, Read read, List<Long> own, Map<String, List<Long>> before) {
    List<Long> all = read.elements();
    if (!areWritten(number, read)) {
      return;
    }
    int others = all.size() - own.size();
    boolean hasOwn = others >= 0 && all.subList(others, all.size()).equals(own);
    List<Long> external = hasOwn ? all.subList(0, others) : List.of();
    List<Long> earlier = before.putIfAbsent(read.key(), external);
    if (!hasOwn || (earlier != null && !earlier.equals(external))) {
      report(
          Kind.INTERNAL,
          "at "
              + read.key()
              + (hasOwn
                  ? ": it had read " + ListTransaction.shorten(all(earlier)) + " before"
                  : ""),
          number);
      return;
    }
    if (earlier == null) {
      found.computeIfAbsent(read.key(), _ -> new ArrayList<>()).add(new Found(number, external));
    }
    int longest = orders.getOrDefault(read.key(), List.of()).size();
    boolean isLater =
        all.size() == longest
            && history.get(number).invokedNanos()
                > history.get(orderReaders.getOrDefault(read.key(), number)).invokedNanos();
    if (all.size() > longest || isLater) {
      orders.put(read.key(), all);
      orderReaders.put(read.key(), number);
    }
  }

  private static List<Long> all(@Nullable List<Long> elements) {
    return elements == null ? List.of() : elements;
  }

  /** Looks at each element; returns whether the list may be one. */
  private boolean areWritten(int number, Read read) {
    Set<Long> once = new HashSet<>();
    for (Long element : read.elements()) {
      Integer writer = writers.get(element);
      if (!once.add(element)) {
        report(Kind.DUPLICATE, element + " is twice in " + read.key(), number);
        return false;
      }
      if (writer == null || !read.key().equals(places.get(element))) {
        report(Kind.NEVER_WRITTEN, element + " is in " + read.key(), number);
        return false;
      }
      if (history.get(writer).outcome() == Outcome.NOT_DONE) {
        report(Kind.ABORTED, element + " is in " + read.key(), writer, number);
        return false;
      }
    }
    return true;
  }

  // ---- what is known of one key

  /** Requires that each list that was read is the beginning of the longest one. */
  private void order(String key) {
    List<Long> order = orders.getOrDefault(key, List.of());
    int orderReader = orderReaders.getOrDefault(key, 0);
    List<Found> good = new ArrayList<>();
    boolean told = false;
    for (Found each : found.getOrDefault(key, List.of())) {
      int same = commonLength(each.elements(), order);
      if (same == each.elements().size()) {
        good.add(each);
        continue;
      }
      Long first = each.elements().get(same);
      int writer = writers.getOrDefault(first, 0);
      boolean mayGo =
          history.get(writer).outcome() == Outcome.UNKNOWN
              && !order.contains(first)
              && history.get(each.transaction()).appends().isEmpty();
      if (mayGo || !told) {
        report(
            mayGo ? Kind.SEEN_AND_GONE : Kind.INCOMPATIBLE,
            "place %d of %s is %d in one, and %d in the other"
                .formatted(same + 1, key, first, order.get(same)),
            each.transaction(),
            orderReader,
            writer);
        told |= !mayGo;
      }
      explained.addAll(each.elements().subList(same, each.elements().size()));
    }
    found.put(key, good);
    for (Found each : good) {
      intermediate(key, each);
    }
  }

  private static int commonLength(List<Long> one, List<Long> other) {
    int most = Math.min(one.size(), other.size());
    int same = 0;
    while (same < most && one.get(same).equals(other.get(same))) {
      same++;
    }
    return same;
  }

  /** Requires that a list does not end between two appends of one transaction. */
  private void intermediate(String key, Found each) {
    if (each.elements().isEmpty()) {
      return;
    }
    Long last = each.elements().getLast();
    int writer = writers.getOrDefault(last, 0);
    boolean after = false;
    for (Append append : history.get(writer).appends()) {
      if (after && append.key().equals(key)) {
        report(
            Kind.INTERMEDIATE,
            key + " has " + last + ", and not yet " + append.element(),
            writer,
            each.transaction());
        return;
      }
      after |= append.element() == last;
    }
  }

  private void lost() {
    Map<String, Set<Long>> present = new HashMap<>();
    orders.forEach((key, order) -> present.put(key, new HashSet<>(order)));
    for (int i = 0; i < history.size(); i++) {
      ListTransaction writer = history.get(i);
      if (!writer.isDone()) {
        continue;
      }
      for (Append append : writer.appends()) {
        if (present.getOrDefault(append.key(), Set.of()).contains(append.element())) {
          continue;
        }
        for (Found each : found.getOrDefault(append.key(), List.of())) {
          ListTransaction reader = history.get(each.transaction());
          if (reader.invokedNanos() > writer.returnedNanos()) {
            explained.add(append.element());
            report(
                Kind.LOST, append.element() + " is not in " + append.key(), i, each.transaction());
            break;
          }
        }
      }
    }
  }

  // ---- what is known of all

  private void cycles() {
    SerialGraph graph = new SerialGraph(history.size());
    found.forEach((key, reads) -> dependencies(graph, key, reads));
    long[] invoked = new long[history.size()];
    long[] returned = new long[history.size()];
    Arrays.fill(invoked, Long.MIN_VALUE);
    Arrays.fill(returned, Long.MAX_VALUE);
    for (int i = 0; i < history.size(); i++) {
      ListTransaction each = history.get(i);
      if (each.isDone() || seen.contains(i)) {
        invoked[i] = each.invokedNanos();
      }
      if (each.isDone()) {
        returned[i] = each.returnedNanos();
      }
    }
    graph.addTimes(invoked, returned);
    for (List<SerialGraph.Edge> cycle : graph.cycles()) {
      anomalies.add(new SerialAnomaly(kind(cycle), describe(cycle)));
    }
  }

  private void dependencies(SerialGraph graph, String key, List<Found> reads) {
    List<Long> order = orders.getOrDefault(key, List.of());
    for (int i = 0; i + 1 < order.size(); i++) {
      graph.add(
          writer(order.get(i)),
          writer(order.get(i + 1)),
          SerialGraph.Kind.WRITE_WRITE,
          key,
          order.get(i));
    }
    List<Long> later = unseen(key, order);
    for (Found read : reads) {
      int size = read.elements().size();
      if (size > 0) {
        Long last = order.get(size - 1);
        graph.add(writer(last), read.transaction(), SerialGraph.Kind.WRITE_READ, key, last);
      }
      List<Long> next = size < order.size() ? List.of(order.get(size)) : later;
      for (Long element : next) {
        graph.add(read.transaction(), writer(element), SerialGraph.Kind.READ_WRITE, key, element);
      }
    }
    for (Long element : later) {
      if (!order.isEmpty()) {
        graph.add(
            writer(order.getLast()),
            writer(element),
            SerialGraph.Kind.WRITE_WRITE,
            key,
            order.getLast());
      }
    }
  }

  /** Returns elements that were appended for sure, and come after all that was read. */
  private List<Long> unseen(String key, List<Long> order) {
    Set<Long> present = new HashSet<>(order);
    List<Long> later = new ArrayList<>();
    for (Append append : appendsByKey().getOrDefault(key, List.of())) {
      int writer = writer(append.element());
      if (!present.contains(append.element())
          && !explained.contains(append.element())
          && (history.get(writer).isDone() || seen.contains(writer))) {
        later.add(append.element());
      }
    }
    return later;
  }

  private @Nullable Map<String, List<Append>> appends;

  private Map<String, List<Append>> appendsByKey() {
    if (appends == null) {
      appends = new HashMap<>();
      for (ListTransaction each : history) {
        for (Append append : each.appends()) {
          appends.computeIfAbsent(append.key(), _ -> new ArrayList<>()).add(append);
        }
      }
    }
    return appends;
  }

  private int writer(Long element) {
    Integer writer = writers.get(element);
    if (writer == null) {
      throw new IllegalStateException("nobody appended " + element);
    }
    return writer;
  }

  private static Kind kind(List<SerialGraph.Edge> cycle) {
    Set<SerialGraph.Kind> kinds = EnumSet.noneOf(SerialGraph.Kind.class);
    cycle.forEach(edge -> kinds.add(edge.kind()));
    long unseen = cycle.stream().filter(edge -> edge.kind() == SerialGraph.Kind.READ_WRITE).count();
    if (kinds.contains(SerialGraph.Kind.REAL_TIME)) {
      return Kind.STALE;
    }
    if (unseen == 1) {
      boolean half = cycle.size() == 2 && kinds.contains(SerialGraph.Kind.WRITE_READ);
      return half ? Kind.HALF : Kind.SINGLE_CYCLE;
    }
    if (unseen > 1) {
      return Kind.WRITE_SKEW;
    }
    return kinds.contains(SerialGraph.Kind.WRITE_READ) ? Kind.INFORMATION_CYCLE : Kind.WRITE_CYCLE;
  }

  private String describe(List<SerialGraph.Edge> cycle) {
    StringBuilder text = new StringBuilder();
    Map<Integer, String> names = new HashMap<>();
    for (SerialGraph.Edge edge : cycle) {
      String name = "T" + (names.size() + 1);
      names.put(edge.from(), name);
      text.append(name).append(": ").append(history.get(edge.from()).describe(originNanos));
      text.append('\n');
    }
    for (SerialGraph.Edge edge : cycle) {
      String from = names.get(edge.from());
      String to = names.get(edge.to());
      text.append(
          switch (edge.kind()) {
            case WRITE_WRITE ->
                "%s is before %s: in %s, %s's element follows %s's %d"
                    .formatted(from, to, edge.key(), to, from, edge.element());
            case WRITE_READ ->
                "%s is before %s: in %s, %s found %s's %d as the last element"
                    .formatted(from, to, edge.key(), to, from, edge.element());
            case READ_WRITE ->
                "%s is before %s: in %s, %s did not find %s's %d"
                    .formatted(from, to, edge.key(), from, to, edge.element());
            case REAL_TIME ->
                "%s is before %s: it was answered before %s was sent".formatted(from, to, to);
          });
      text.append('\n');
    }
    return text.toString();
  }

  private void report(Kind kind, String what, int... those) {
    StringBuilder text = new StringBuilder(what);
    for (int each : those) {
      text.append('\n').append(history.get(each).describe(originNanos));
    }
    anomalies.add(new SerialAnomaly(kind, text.toString()));
  }
}
