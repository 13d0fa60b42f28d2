package io.keyvalueserve.grid.settings;

import io.keyvalueserve.grid.settings.MapSettingsException.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of how maps are kept that were asked for on this member. Each goes on when nobody
 * waits for it any more; who asks for the same waits for the one that is under way. Thread-safe.
 */
final class KeepingChanges {
  private static final Logger LOG = LoggerFactory.getLogger(KeepingChanges.class);

  private final GridMapSettings settings;
  private final Spread spread;
  private final Executor background;
  private final Map<String, Change> changes = new ConcurrentHashMap<>();

  /**
   * A change that is wanted.
   *
   * @param name equal for changes that are the same
   * @param field the setting that errors name
   * @param change makes the next settings of those before
   * @param isTakenBack whether settings are as before again if a member cannot carry them out
   */
  record Wanted(
      Object name, String field, UnaryOperator<MapSettings> change, boolean isTakenBack) {}

  private record Change(Wanted wanted, CompletableFuture<MapSettings> end) {}

  KeepingChanges(GridMapSettings settings, Spread spread, Executor background) {
    this.settings = settings;
    this.spread = spread;
    this.background = background;
  }

  /**
   * Returns what holds, on all members.
   *
   * @throws MapSettingsException if it does not; the message says why and what to do
   */
  MapSettings carryOut(String map, Wanted wanted, Duration patience) {
    Change change =
        changes.compute(
            map,
            (name, running) ->
                running != null && running.wanted().name().equals(wanted.name())
                    ? running
                    : begin(name, wanted));
    try {
      return change.end().get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw underWay(wanted.field(), "the change is under way");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw underWay(wanted.field(), "interrupted while the change was under way");
    } catch (ExecutionException e) {
      throw switch (e.getCause()) {
        case MapSettingsException known -> known;
        case RuntimeException other -> other;
        case null, default -> new IllegalStateException(e);
      };
    }
  }

  private Change begin(String map, Wanted wanted) {
    Change change = new Change(wanted, new CompletableFuture<>());
    background.execute(
        () -> {
          try {
            boolean _ = change.end().complete(run(map, wanted));
          } catch (InterruptedException e) {
            boolean _ =
                change
                    .end()
                    .completeExceptionally(underWay(wanted.field(), "this member goes down"));
          } catch (RuntimeException e) {
            LOG.warn(
                "the {} of a map was not changed: map={}: {}", wanted.field(), map, e.getMessage());
            boolean _ = change.end().completeExceptionally(e);
          } finally {
            boolean _ = changes.remove(map, change);
          }
        });
    return change;
  }

  private MapSettings run(String map, Wanted wanted) throws InterruptedException {
    MapSettings[] before = new MapSettings[1];
    MapSettings after =
        settings.change(
            map,
            now -> {
              before[0] = now;
              return wanted.change().apply(now);
            });
    if (after.revision() == 0) {
      return after;
    }
    try {
      spread.to(after);
      return after;
    } catch (MapSettingsException e) {
      if (after.revision() != before[0].revision()) {
        throw wanted.isTakenBack()
            ? takenBack(wanted.field(), after, before[0], e)
            : new MapSettingsException(
                e.kind(),
                wanted.field(),
                wanted.field() + ": it is noted, but " + e.getMessage() + "; ask for it again");
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
      String field, MapSettings failed, MapSettings before, MapSettingsException why)
      throws InterruptedException {
    MapSettings again =
        settings.change(failed.map(), now -> now.isKeptAs(failed) ? now.keptAs(before) : now);
    try {
      spread.to(again);
      return new MapSettingsException(
          why.kind(),
          field,
          field + ": " + why.getMessage() + "; it is as it was before on every member");
    } catch (MapSettingsException e) {
      LOG.warn(
          "a change of {} could not be taken back on every member: map={}", field, failed.map(), e);
      return new MapSettingsException(
          why.kind(),
          field,
          field
              + ": "
              + why.getMessage()
              + "; to be as it was before failed too: "
              + e.getMessage());
    }
  }

  private static MapSettingsException underWay(String field, String what) {
    return new MapSettingsException(
        Kind.UNDER_WAY,
        field,
        field + ": " + what + "; it goes on: see how far it is, or ask for the same again");
  }
}
