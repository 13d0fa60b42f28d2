package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One execution of a query: its parameters, its rows, and the bounds of its work. */
final class Run {
  private static final long MOST_STEPS = 20_000_000;
  private static final long MOST_CELLS = 8_000_000;
  private static final int CHECK_STEPS = 4096;

  /** The characters of all long text that is kept as a result: 32 MiB of heap at most. */
  private static final long MOST_CHARACTERS = 16 << 20;

  /** Shorter text is bounded by the number of values. */
  private static final int LONG_TEXT = 64;

  private static final int MOST_PATTERNS = 64;

  private final SystemSession session;
  private final Snapshot snapshot;
  private final List<@Nullable Object> parameters;
  private final IdentityHashMap<Object, List<@Nullable Object[]>> kept = new IdentityHashMap<>();
  private final IdentityHashMap<Object, Map<Integer, Map<Object, List<@Nullable Object[]>>>>
      indexes = new IdentityHashMap<>();

  /** The patterns that were used last. */
  private final Map<String, Pattern> patterns =
      new LinkedHashMap<>(MOST_PATTERNS, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Pattern> eldest) {
          return size() > MOST_PATTERNS;
        }
      };

  private long characters;
  private long steps;
  private long cells;

  Run(SystemSession session, Snapshot snapshot, List<@Nullable Object> parameters) {
    this.session = session;
    this.snapshot = snapshot;
    this.parameters = parameters;
  }

  SystemSession session() {
    return session;
  }

  Snapshot snapshot() {
    return snapshot;
  }

  @Nullable Object parameter(int index) {
    return parameters.get(index);
  }

  /** Returns the regular expressions that were compiled for it. */
  Map<String, Pattern> patterns() {
    return patterns;
  }

  /** Counts a step of work. */
  void step() {
    if (++steps % CHECK_STEPS == 0) {
      session.checkpoint();
      if (steps > MOST_STEPS) {
        throw tooMuch();
      }
    }
  }

  /** Counts values that are kept. */
  void keeps(long values) {
    cells += values;
    if (cells > MOST_CELLS) {
      throw tooMuch();
    }
  }

  /** Counts the long text of a result row that is kept. */
  void keepsText(@Nullable Object[] row) {
    for (Object value : row) {
      if (value instanceof String text && text.length() > LONG_TEXT) {
        characters += text.length();
      }
    }
    if (characters > MOST_CHARACTERS) {
      throw tooMuch();
    }
  }

  private static PostgresException tooMuch() {
    return new PostgresException(
        "54001",
        "the query on the system catalogues is too complex",
        0,
        "add conditions on names of tables");
  }

  /** Returns rows that were made before for the same maker, or makes them. */
  List<@Nullable Object[]> once(Object maker, Supplier<List<@Nullable Object[]>> rows) {
    List<@Nullable Object[]> known = kept.get(maker);
    if (known == null) {
      known = rows.get();
      kept.put(maker, known);
    }
    return known;
  }

  /** Returns the rows whose value of a column has a key. */
  List<@Nullable Object[]> lookUp(
      Object maker, List<@Nullable Object[]> rows, int column, Object key) {
    return indexes
        .computeIfAbsent(maker, _ -> new HashMap<>())
        .computeIfAbsent(column, _ -> index(rows, column))
        .getOrDefault(key, List.of());
  }

  private Map<Object, List<@Nullable Object[]>> index(List<@Nullable Object[]> rows, int column) {
    Map<Object, List<@Nullable Object[]>> index = new HashMap<>();
    for (@Nullable Object[] row : rows) {
      step();
      Object value = Lazy.value(row[column]);
      if (value != null) {
        index.computeIfAbsent(Datum.key(value), _ -> new ArrayList<>()).add(row);
      }
    }
    return index;
  }
}
