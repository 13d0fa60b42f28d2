package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.Damage;
import io.keyvalueserve.journal.HeldKeys;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.PendingEntries;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that a log has kept back at the start, so that a member serves before it knows them: of
 * each partition they are put back when something of it is asked for, or by and by.
 */
final class LaterKeys {
  private static final Logger LOG = LoggerFactory.getLogger(LaterKeys.class);

  private final HeldKeys held;
  private final Restorer restorer;
  private final NativeMaps maps;
  private final long mostBytes;

  /**
   * @param restorer puts them back
   * @param mostBytes how much memory they may take until they are put back, in bytes
   */
  LaterKeys(HeldKeys held, Restorer restorer, NativeMaps maps, long mostBytes) {
    this.held = held;
    this.restorer = restorer;
    this.maps = maps;
    this.mostBytes = mostBytes;
  }

  /**
   * Has the maps know what they do not know. Before the member takes part in its cluster.
   *
   * @return what there is of maps that are no longer to outlive the member: it is never put back
   */
  Set<Restorer.Dropped> announce() {
    Map<Integer, Map<String, PendingEntries.Amount>> amounts = new HashMap<>();
    Set<Restorer.Dropped> dropped = new HashSet<>();
    Map<String, Boolean> logged = new HashMap<>();
    held.forEach(
        (partition, map, amount) -> {
          if (logged.computeIfAbsent(map, maps::isLogged)) {
            amounts
                .computeIfAbsent(partition, id -> new HashMap<>())
                .put(map, new PendingEntries.Amount(amount.puts(), amount.bytes()));
          } else {
            dropped.add(new Restorer.Dropped(partition, map));
          }
        });
    held.partitions().stream()
        .forEach(
            partition -> {
              Restorer.Within sink = restorer.within();
              maps.pending()
                  .readLater(
                      partition,
                      amounts.getOrDefault(partition, Map.of()),
                      takers -> held.give(partition, sink.to(takers)));
            });
    return dropped;
  }

  /**
   * Puts back what was not. Blocks.
   *
   * @param threads how many do it
   * @param stopped asked between partitions
   * @throws CancellationException if it was stopped
   */
  void read(int threads, BooleanSupplier stopped) {
    held.readAhead(mostBytes, stopped);
    List<Future<?>> reading = new ArrayList<>();
    try (ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().name("kvs-load-keys-", 0).daemon().factory())) {
      held.partitions().stream()
          .forEach(partition -> reading.add(pool.submit(() -> readOne(partition, stopped))));
    }
    for (Damage damage : held.takeDamage()) {
      LOG.warn("the restart log: {}", damage);
    }
    for (Future<?> each : reading) {
      rethrow(each);
    }
    held.close();
  }

  private void readOne(int partition, BooleanSupplier stopped) {
    if (stopped.getAsBoolean()) {
      throw new CancellationException("the member is going down");
    }
    maps.pending().load(() -> maps.pending().read(partition));
  }

  private static void rethrow(Future<?> done) {
    try {
      var _ = done.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while keys were put back");
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }
}
