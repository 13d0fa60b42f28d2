package io.keyvalueserve.grid.settings;

import com.hazelcast.core.HazelcastException;
import io.keyvalueserve.grid.restart.DurableMaps;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one member knows of the maps' settings, and how far it has come with them. Settings of a map
 * that come late do no harm: the highest revision wins. What takes time is done by one thread, in
 * the order in which it came. Thread-safe.
 */
final class MemberSettings implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MemberSettings.class);

  private final @Nullable DurableMaps durable;
  private final Map<String, MapSettings> known = new ConcurrentHashMap<>();
  private final Map<String, Reached> reached = new ConcurrentHashMap<>();
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("kvs-map-settings").daemon().factory());

  private record Reached(long revision, Progress progress) {}

  /**
   * @param durable null if the member keeps nothing on its disk
   */
  MemberSettings(@Nullable DurableMaps durable) {
    this.durable = durable;
  }

  /** What holds for a map, as far as this member knows. */
  MapSettings of(String map) {
    MapSettings settings = known.get(map);
    return settings == null ? MapSettings.none(map) : settings;
  }

  Collection<MapSettings> all() {
    return known.values();
  }

  /** Takes settings in, if they are news. Does not block. */
  void take(MapSettings settings) {
    boolean[] news = new boolean[1];
    MapSettings _ =
        known.merge(
            settings.map(),
            settings,
            (before, next) -> next.revision() > before.revision() ? next : before);
    Reached before = reached.get(settings.map());
    if (before == null || before.revision() < settings.revision()) {
      Reached _ =
          reached.compute(
              settings.map(),
              (map, reach) -> {
                news[0] = reach == null || reach.revision() < settings.revision();
                return news[0] ? new Reached(settings.revision(), Progress.UNDER_WAY) : reach;
              });
    }
    if (news[0]) {
      worker.execute(() -> carryOut(settings));
    }
  }

  private void carryOut(MapSettings settings) {
    Progress progress = Progress.DONE;
    try {
      if (durable != null) {
        durable.set(settings.map(), settings.durability());
      }
    } catch (HazelcastException e) {
      LOG.error("a map's durability could not be changed: map={}", settings.map(), e);
      progress = Progress.failed(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.error("a map's durability could not be changed: map={}", settings.map(), e);
      progress = Progress.failed("internal error, see the member's log");
    }
    Reached done = new Reached(settings.revision(), progress);
    Reached _ =
        reached.computeIfPresent(
            settings.map(), (map, reach) -> reach.revision() > done.revision() ? reach : done);
  }

  /** How far this member has come with settings that it was told of, or newer ones. */
  Progress of(MapSettings settings) {
    Reached reach = reached.get(settings.map());
    return reach == null || reach.revision() < settings.revision()
        ? Progress.UNDER_WAY
        : reach.progress();
  }

  /** Waits until everything is done that came before. */
  void await() {
    CompletableFuture.runAsync(() -> {}, worker).join();
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
