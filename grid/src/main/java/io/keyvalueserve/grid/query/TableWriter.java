package io.keyvalueserve.grid.query;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.IMap;
import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.QueryException.Kind;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.grid.space.Failures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries for statements, some at a time side by side. A change of an entry is a
 * compare-and-set of its value: it takes effect only if the entry is still what its condition was
 * tested on. Blocks.
 */
final class TableWriter {
  /** The number of entries that are written at once. */
  private static final int SIDE_BY_SIDE = 64;

  /** An entry that others change all the time is tried so often. */
  private static final int MOST_TRIES = 1_000;

  private final GridQueries queries;
  private final TableMap map;
  private final EntryMaker maker;
  private final QueryControl control;
  private final IMap<Object, Object> entries;

  TableWriter(GridQueries queries, TableMap map, EntryMaker maker, QueryControl control) {
    this.queries = queries;
    this.map = map;
    this.maker = maker;
    this.control = control;
    this.entries = queries.writable(map);
  }

  /** Writes new entries; see {@link io.keyvalueserve.engine.query.QueryTable#put}. */
  long put(List<Integer> columns, List<@Nullable Object[]> rows, boolean replaces) {
    List<Callable<Boolean>> writes = new ArrayList<>();
    for (@Nullable Object[] row : rows) {
      Data key = maker.key(columns, row);
      Data value = maker.value(columns, row);
      writes.add(
          () -> {
            if (replaces) {
              entries.set(key, value);
            } else if (entries.putIfAbsent(key, value) != null) {
              throw new QueryException(
                  Kind.BAD_VALUE,
                  "duplicate key: an entry of a row's key exists already; use SINK INTO to replace"
                      + " entries");
            }
            return true;
          });
    }
    return carryOut(writes);
  }

  /** Changes entries; see {@link io.keyvalueserve.engine.query.QueryTable#update}. */
  long update(
      List<Object> keys,
      List<Integer> columns,
      List<@Nullable Object[]> rows,
      Condition stillTrue) {
    Map<Data, @Nullable Object[]> changes = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      changes.put(maker.keyOf(keys.get(i)), rows.get(i));
    }
    return repeat(
        changes,
        stillTrue,
        (key, before, row) -> entries.replace(key, before, maker.changed(before, columns, row)));
  }

  /** Removes entries; see {@link io.keyvalueserve.engine.query.QueryTable#remove}. */
  long remove(List<Object> keys, Condition stillTrue) {
    Map<Data, @Nullable Object[]> wanted = new HashMap<>();
    for (Object key : keys) {
      wanted.put(maker.keyOf(key), new @Nullable Object[0]);
    }
    return repeat(wanted, stillTrue, (key, before, row) -> entries.remove(key, before));
  }

  /** Changes an entry if it is still what it was. */
  @FunctionalInterface
  private interface Change {
    boolean tryTo(Data key, Data before, @Nullable Object[] row);
  }

  /** Changes entries that meet a condition; those that change meanwhile are looked at again. */
  private long repeat(Map<Data, @Nullable Object[]> wanted, Condition stillTrue, Change change) {
    Map<Data, @Nullable Object[]> left = new HashMap<>(wanted);
    long done = 0;
    for (int tries = 0; !left.isEmpty(); tries++) {
      if (tries == MOST_TRIES) {
        throw new QueryException(
            Kind.THROTTLED,
            "entries that the statement changes are changed by others all the time: some were not"
                + " changed; try again");
      }
      control.checkpoint();
      List<Data> found = new ArrayList<>();
      List<Callable<Boolean>> writes = new ArrayList<>();
      try (KeyRows rows = entriesOf(left, stillTrue)) {
        while (rows.next()) {
          Data key = (Data) rows.row()[0];
          Data before = (Data) rows.row()[1];
          @Nullable Object[] row = key == null ? null : left.get(key);
          if (key != null && before != null && row != null) {
            found.add(key);
            writes.add(() -> change.tryTo(key, before, row));
          }
        }
      }
      List<Boolean> changed = results(writes);
      Map<Data, @Nullable Object[]> again = new HashMap<>();
      for (int i = 0; i < found.size(); i++) {
        if (changed.get(i)) {
          done++;
        } else {
          again.put(found.get(i), left.get(found.get(i)));
        }
      }
      left = again;
    }
    return done;
  }

  private KeyRows entriesOf(Map<Data, @Nullable Object[]> wanted, Condition stillTrue) {
    Scan scan = new Scan(List.of(), stillTrue, null, null, List.of(), Scan.ALL);
    return new KeyRows(queries, map, scan, List.copyOf(wanted.keySet()), true, control);
  }

  private long carryOut(List<Callable<Boolean>> writes) {
    return results(writes).stream().filter(done -> done).count();
  }

  private List<Boolean> results(List<Callable<Boolean>> writes) {
    List<Boolean> results = new ArrayList<>();
    for (int from = 0; from < writes.size(); from += SIDE_BY_SIDE) {
      control.checkpoint();
      int to = Math.min(writes.size(), from + SIDE_BY_SIDE);
      results.addAll(together(writes.subList(from, to)));
    }
    return results;
  }

  private static List<Boolean> together(List<Callable<Boolean>> writes) {
    if (writes.size() == 1) {
      try {
        return List.of(writes.getFirst().call());
      } catch (Exception e) {
        throw failure(e);
      }
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Boolean> results = new ArrayList<>();
      for (Future<Boolean> each : threads.invokeAll(writes)) {
        results.add(each.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new QueryException(
          Kind.IN_DOUBT, "the statement was ended while it wrote: a part may have been written", e);
    }
  }

  /** Translates what a write throws. */
  static QueryException failure(Throwable thrown) {
    if (thrown instanceof QueryException known) {
      return known;
    }
    Failure failure = Failures.of(thrown);
    Kind kind =
        switch (failure.kind()) {
          case QUOTA, FULL -> Kind.QUOTA;
          case TIMEOUT, IN_DOUBT -> Kind.IN_DOUBT;
          case REFUSED -> Kind.REFUSED;
          case INTERNAL -> Kind.INTERNAL;
          default -> Kind.UNAVAILABLE;
        };
    return new QueryException(kind, failure.message(), thrown);
  }
}
