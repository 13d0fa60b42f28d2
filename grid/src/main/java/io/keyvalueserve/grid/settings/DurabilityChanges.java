package io.keyvalueserve.grid.settings;

import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.settings.MapSettingsException.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of maps' durability that were asked for on this member. Each goes on when nobody
 * waits for it any more; who asks for the same waits for the one that is under way. Thread-safe.
 */
final class DurabilityChanges {
  private static final Logger LOG = LoggerFactory.getLogger(DurabilityChanges.class);

  private final GridMapSettings settings;
  private final Spread spread;
  private final Executor background;
  private final Map<String, Change> changes = new ConcurrentHashMap<>();

  private record Change(@Nullable Durability next, CompletableFuture<MapSettings> end) {}

  DurabilityChanges(GridMapSettings settings, Spread spread, Executor background) {
    this.settings = settings;
    this.spread = spread;
    this.background = background;
  }

  /**
   * Returns what holds, on all members.
   *
   * @throws MapSettingsException if it does not; the message says why and what to do
   */
  MapSettings carryOut(String map, @Nullable Durability next, Duration patience) {
    Change change =
        changes.compute(
            map,
            (name, running) ->
                running != null && running.next() == next ? running : begin(name, next));
    try {
      return change.end().get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw underWay("the change is under way");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw underWay("interrupted while the change was under way");
    } catch (ExecutionException e) {
      throw switch (e.getCause()) {
        case MapSettingsException known -> known;
        case RuntimeException other -> other;
        case null, default -> new IllegalStateException(e);
      };
    }
  }

  private Change begin(String map, @Nullable Durability next) {
    Change change = new Change(next, new CompletableFuture<>());
    background.execute(
        () -> {
          try {
            boolean _ = change.end().complete(run(map, next));
          } catch (InterruptedException e) {
            boolean _ = change.end().completeExceptionally(underWay("this member goes down"));
          } catch (RuntimeException e) {
            LOG.warn("the durability of a map was not changed: map={}: {}", map, e.getMessage());
            boolean _ = change.end().completeExceptionally(e);
          } finally {
            boolean _ = changes.remove(map, change);
          }
        });
    return change;
  }

  private MapSettings run(String map, @Nullable Durability next) throws InterruptedException {
    MapSettings[] before = new MapSettings[1];
    MapSettings after =
        settings.change(
            map,
            now -> {
              before[0] = now;
              return now.with(next);
            });
    if (after.revision() == 0) {
      return after;
    }
    try {
      spread.to(after);
      return after;
    } catch (MapSettingsException e) {
      if (after.revision() != before[0].revision()) {
        throw takenBack(map, next, before[0].durability(), e);
      }
      LOG.debug("it was set, but not carried out: map={}", map, e);
    }
    MapSettings again = settings.again(map);
    spread.to(again);
    return again;
  }

  /**
   * Takes a setting back that a member could not carry out, unless another one was set meanwhile,
   * so that no member is asked for it any more.
   */
  private MapSettingsException takenBack(
      String map,
      @Nullable Durability failed,
      @Nullable Durability before,
      MapSettingsException why)
      throws InterruptedException {
    MapSettings again =
        settings.change(map, now -> now.durability() == failed ? now.with(before) : now);
    try {
      spread.to(again);
      return new MapSettingsException(
          why.kind(),
          "durability: " + why.getMessage() + "; it is as it was before on every member");
    } catch (MapSettingsException e) {
      LOG.warn("a change of durability could not be taken back on every member: map={}", map, e);
      return new MapSettingsException(
          why.kind(),
          "durability: "
              + why.getMessage()
              + "; to be as it was before failed too: "
              + e.getMessage());
    }
  }

  private static MapSettingsException underWay(String what) {
    return new MapSettingsException(
        Kind.UNDER_WAY,
        "durability: " + what + "; it goes on: see how far it is, or ask for the same again");
  }
}
