package io.keyvalueserve.grid.external;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.maps.ExternalStoreException;
import io.keyvalueserve.maps.external.Loaded;
import io.keyvalueserve.stores.Row;
import io.keyvalueserve.stores.StoreTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads rows for requests of many partitions: those that come together are loaded with one
 * statement. Each map has a few threads of its own, so a map whose database is slow holds up no
 * other. Thread-safe.
 */
final class StoreLoader {
  private static final Logger LOG = LoggerFactory.getLogger(StoreLoader.class);

  /** The most rows of a statement. */
  private static final int MOST_KEYS = 500;

  /** The most keys that may wait: more are refused. */
  private static final int MOST_WAITING = 100_000;

  /** Requests of one command come to several partitions within this time. */
  private static final long GATHER_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final String map;
  private final TableSource table;
  private final StoreCounts counts;
  private final int mostThreads;
  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
  private final AtomicInteger threads = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();

  private record Request(Collection<Data> keys, Consumer<Loaded> whenLoaded) {}

  StoreLoader(String map, TableSource table, StoreCounts counts, int mostThreads) {
    this.map = map;
    this.table = table;
    this.counts = counts;
    this.mostThreads = mostThreads;
  }

  /** Loads keys. Does not block. */
  void load(Collection<Data> keys, Consumer<Loaded> whenLoaded) {
    if (waiting.addAndGet(keys.size()) > MOST_WAITING) {
      int _ = waiting.addAndGet(-keys.size());
      whenLoaded.accept(
          Loaded.failed(
              ExternalStoreException.unreachable(
                  "too many keys wait for the external store of the map; try again later")));
      return;
    }
    requests.add(new Request(keys, whenLoaded));
    startThread();
  }

  private void startThread() {
    int running = threads.get();
    while (running < mostThreads && !requests.isEmpty()) {
      if (threads.compareAndSet(running, running + 1)) {
        Thread _ = Thread.ofVirtual().name("kvs-store-loader").start(this::loadAll);
        return;
      }
      running = threads.get();
    }
  }

  private void loadAll() {
    try {
      LockSupport.parkNanos(GATHER_NANOS);
      for (List<Request> some = take(); !some.isEmpty(); some = take()) {
        load(some);
      }
    } finally {
      int _ = threads.decrementAndGet();
    }
    startThread(); // somebody may have come meanwhile, and counted on this one
  }

  private List<Request> take() {
    List<Request> some = new ArrayList<>();
    int keys = 0;
    while (keys < MOST_KEYS) {
      Request next = requests.poll();
      if (next == null) {
        break;
      }
      some.add(next);
      keys += next.keys().size();
    }
    return some;
  }

  private void load(List<Request> some) {
    Map<Data, Data> values = new HashMap<>();
    RuntimeException failure = null;
    try {
      values = rows(some.stream().flatMap(each -> each.keys().stream()).toList());
      counts.works();
    } catch (Error e) { // as without memory: who waits is to hear of it
      failure =
          ExternalStoreException.unreachable(
              "the rows could not be loaded from the external store of the map; try again later");
      LOG.error("rows were not loaded from the external store: map={}", map, e);
    } catch (RuntimeException e) {
      StoreProblems.log(map, "keys were not loaded from the external store", e);
      counts.failed(StoreProblems.forOperator(e));
      table.failed(e);
      failure = StoreProblems.forClient(e);
    }
    for (Request each : some) {
      int _ = waiting.addAndGet(-each.keys().size());
      answer(each, failure == null ? Loaded.of(of(each, values)) : Loaded.failed(failure));
    }
  }

  /** One that cannot be told is not to keep the others waiting. */
  private void answer(Request request, Loaded answer) {
    try {
      request.whenLoaded().accept(answer);
    } catch (RuntimeException e) {
      LOG.warn("rows that were loaded found nobody: map={}", map, e);
    }
  }

  private static Map<Data, Data> of(Request request, Map<Data, Data> values) {
    Map<Data, Data> of = new HashMap<>();
    for (Data key : request.keys()) {
      Data value = values.get(key);
      if (value != null) {
        Data _ = of.put(key, value);
      }
    }
    return of;
  }

  private Map<Data, Data> rows(List<Data> keys) {
    TableSource.Opened opened = table.open();
    Map<Data, Data> values = new HashMap<>();
    for (int from = 0; from < keys.size(); from += MOST_KEYS) {
      rows(opened, keys.subList(from, Math.min(keys.size(), from + MOST_KEYS)), values);
    }
    return values;
  }

  private void rows(TableSource.Opened opened, List<Data> keys, Map<Data, Data> into) {
    StoreTable rows = opened.table();
    List<Data> asked = new ArrayList<>(keys.size());
    List<Object> plain = new ArrayList<>(keys.size());
    for (Data key : keys) {
      Object id = opened.rows().plain(key);
      if (id != null) {
        asked.add(key);
        plain.add(id);
      }
    }
    counts.loads.increment();
    List<@Nullable Row> found = rows.load(plain);
    int loaded = 0;
    for (int i = 0; i < asked.size(); i++) {
      Row row = found.get(i);
      Data value = row == null ? null : opened.rows().value(row);
      if (value != null) {
        Data _ = into.put(asked.get(i), value);
        loaded++;
      }
    }
    counts.loaded.add(loaded);
    counts.absent.add(keys.size() - (long) loaded);
  }
}
