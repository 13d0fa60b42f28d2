package io.keyvalueserve.grid.catalogue;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small facts that the whole cluster shares, name to value, in a system map. Blocks; thread-safe.
 */
public final class GridSettings {
  private static final String SETTINGS = "__kvs.settings";

  private static final Logger LOG = LoggerFactory.getLogger(GridSettings.class);

  private final IMap<String, String> settings;

  /** The cluster's settings as this member reaches them. */
  public GridSettings(HazelcastInstance instance) {
    this.settings = instance.getMap(SETTINGS);
  }

  static void configure(Config config, int backups) {
    config.addMapConfig(
        new MapConfig(SETTINGS)
            .setInMemoryFormat(InMemoryFormat.NATIVE)
            .setBackupCount(backups)
            .setMergePolicyConfig(
                new MergePolicyConfig().setPolicy(RecordMergePolicy.Counters.class.getName())));
  }

  /** The value, if it is set. */
  public Optional<String> get(String name) {
    return Optional.ofNullable(settings.get(name));
  }

  /**
   * Returns the value, if it is set and a member that has it answers in time.
   *
   * @param patience how long to wait
   */
  public Optional<String> get(String name, Duration patience) {
    try {
      return Optional.ofNullable(
          settings
              .getAsync(name)
              .toCompletableFuture()
              .get(patience.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (HazelcastException | ExecutionException | TimeoutException e) {
      LOG.debug("a setting was not read: {}", name, e);
    }
    return Optional.empty();
  }

  /** Sets a value unless there is one, and returns what holds from now on. */
  public String putIfAbsent(String name, String value) {
    String before = settings.putIfAbsent(name, value);
    return before == null ? value : before;
  }

  /** Sets a value. */
  public void put(String name, String value) {
    settings.set(name, value);
  }

  /** Raises a counter by one, and returns it: 1 the first time. */
  int increment(String name) {
    return increment(name, before -> Math.addExact(before, 1));
  }

  /**
   * Raises a counter while members of the cluster are lost that may do the same: by so much that it
   * never gets a number that they have given, or give.
   *
   * @param side the number of this side, below {@code sides}
   */
  int increment(String name, int side, int sides) {
    return increment(
        name,
        before -> {
          int beyond = Math.addExact(before, sides + 1); // others may not know of the split yet
          return Math.addExact(beyond, Math.floorMod(side - beyond, sides));
        });
  }

  private int increment(String name, IntUnaryOperator raise) {
    while (true) {
      String before = settings.get(name);
      int next = raise.applyAsInt(before == null ? 0 : Integer.parseInt(before));
      String text = Integer.toString(next);
      boolean raised =
          before == null
              ? settings.putIfAbsent(name, text) == null
              : settings.replace(name, before, text);
      if (raised) {
        return next;
      }
    }
  }
}
