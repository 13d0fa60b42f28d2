package io.keyvalueserve.grid.space;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryRemovedListener;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.ScriptRoom;
import io.keyvalueserve.engine.ScriptStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scripts of tenants in a system map of the grid.
 *
 * <p>{@code 7/<digest>} has a source of tenant 7, each byte as a character. {@code 7} has the
 * digests and lengths of all its sources. That entry is locked while it is changed. When it is
 * removed, all members learn that the tenant has flushed its scripts.
 */
public final class GridScriptStore implements ScriptStore {
  private static final Logger LOG = LoggerFactory.getLogger(GridScriptStore.class);
  private static final String SCRIPTS = "__kvs.scripts";
  private static final int BACKUPS = 2;
  private static final long LOCK_SECONDS = 10;

  private final IMap<String, String> map;

  /** Runs what blocks. */
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** The scripts as this member reaches them. */
  public GridScriptStore(HazelcastInstance instance) {
    this.map = instance.getMap(SCRIPTS);
  }

  /** Sets up the system map; before the member starts. */
  public static void configure(Config config) {
    config.addMapConfig(
        new MapConfig(SCRIPTS).setInMemoryFormat(InMemoryFormat.NATIVE).setBackupCount(BACKUPS));
  }

  @Override
  public CompletionStage<Optional<byte[]>> find(int tenant, String digest) {
    return map.getAsync(key(tenant, digest))
        .handle(
            (source, failure) -> {
              if (failure != null) {
                throw new EngineException(Failures.of(failure));
              }
              return Optional.ofNullable(source).map(text -> text.getBytes(ISO_8859_1));
            });
  }

  @Override
  public CompletionStage<Void> load(int tenant, String digest, byte[] source) {
    return async(
        () -> {
          String key = key(tenant, digest);
          if (index(tenant).containsKey(digest) && map.containsKey(key)) {
            return null;
          }
          locked(
              tenant,
              () -> {
                Map<String, Integer> index = index(tenant);
                if (!index.containsKey(digest)) {
                  new ScriptRoom(index.size(), index.values().stream().mapToLong(i -> i).sum())
                      .require(source.length);
                  index.put(digest, source.length);
                }
                map.set(Integer.toString(tenant), text(index)); // first: a flush finds all sources
                map.set(key, new String(source, ISO_8859_1));
              });
          return null;
        });
  }

  @Override
  public CompletionStage<List<Boolean>> exist(int tenant, List<String> digests) {
    return async(
        () -> {
          Map<String, Integer> index = index(tenant);
          return digests.stream().map(index::containsKey).toList();
        });
  }

  @Override
  public CompletionStage<Void> flush(int tenant) {
    return async(
        () -> {
          locked(
              tenant,
              () -> {
                index(tenant).keySet().forEach(digest -> map.delete(key(tenant, digest)));
                map.delete(Integer.toString(tenant));
              });
          return null;
        });
  }

  @Override
  public void onFlush(IntConsumer listener) {
    UUID _ =
        map.addEntryListener(
            (EntryRemovedListener<String, String>)
                event -> {
                  String key = event.getKey();
                  if (key.indexOf('/') < 0) {
                    listener.accept(Integer.parseInt(key));
                  }
                },
            false);
  }

  private <T extends @Nullable Object> CompletionStage<T> async(Supplier<T> task) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return task.get();
          } catch (RuntimeException e) {
            throw new EngineException(Failures.of(e));
          }
        },
        threads);
  }

  private void locked(int tenant, Runnable change) {
    String key = Integer.toString(tenant);
    map.lock(key, LOCK_SECONDS, TimeUnit.SECONDS);
    try {
      change.run();
    } finally {
      unlock(key);
    }
  }

  /** Unlocks an entry, unless the lock has ended by itself, because the change took very long. */
  private void unlock(String key) {
    try {
      map.unlock(key);
    } catch (IllegalMonitorStateException e) {
      LOG.debug("the scripts of a tenant were changed for longer than they were locked", e);
    }
  }

  private static String key(int tenant, String digest) {
    return tenant + "/" + digest;
  }

  /** Returns the lengths of a tenant's sources by their digests. */
  private Map<String, Integer> index(int tenant) {
    Map<String, Integer> index = new LinkedHashMap<>();
    String text = Objects.requireNonNullElse(map.get(Integer.toString(tenant)), "");
    for (String part : text.split(" ", -1)) {
      int colon = part.indexOf(':');
      if (colon > 0) {
        index.put(part.substring(0, colon), Integer.parseInt(part.substring(colon + 1)));
      }
    }
    return index;
  }

  private static String text(Map<String, Integer> index) {
    return index.entrySet().stream()
        .map(each -> each.getKey() + ":" + each.getValue())
        .collect(Collectors.joining(" "));
  }
}
