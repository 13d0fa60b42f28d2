package io.keyvalueserve.grid.external;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.grid.settings.StoreMode;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.WriteQueue;
import io.keyvalueserve.maps.external.ExternalMap;
import io.keyvalueserve.maps.external.Loaded;
import io.keyvalueserve.maps.external.QueuedWrite;
import io.keyvalueserve.stores.StoreValueException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The table behind one map, as one member reaches it. Thread-safe. */
final class StoreLink implements ExternalMap, AutoCloseable {
  private final String map;
  private final MapStoreSettings settings;
  private final TableSource table;
  private final StoreCounts counts = new StoreCounts();
  private final StoreLoader loader;
  private final StoreWriter writer;
  private final EagerLoad eager;
  private final SecondLook secondLook;
  private final TableFollower follower;
  private final NativeMaps maps;
  private final Set<Data> refreshing = ConcurrentHashMap.newKeySet();

  /**
   * @param poolSize the number of connections of the store's pool
   * @param timeout after which a statement has surely ended
   */
  StoreLink(
      String map,
      MapStoreSettings settings,
      TableSource table,
      int poolSize,
      Duration timeout,
      NativeMaps maps,
      NodeEngine nodeEngine) {
    this.map = map;
    this.settings = settings;
    this.table = table;
    this.maps = maps;
    this.loader = new StoreLoader(map, table, counts, Math.clamp(poolSize / 2, 1, 8));
    this.writer =
        new StoreWriter(
            map, settings, timeout, table, new MemberQueues(map, maps, nodeEngine, counts), counts);
    this.eager = new EagerLoad(map, table, counts, maps, nodeEngine);
    this.secondLook = new SecondLook(table, counts);
    this.follower = new TableFollower(map, settings, table, nodeEngine);
  }

  /**
   * Begins to write, and to load if all is loaded at once.
   *
   * @param before the link that this one takes the place of; null if there is none
   */
  void start(@Nullable StoreLink before) {
    if (isWritten()) {
      writer.start(before == null ? null : before.writer);
    }
    if (settings.follow()) {
      startFollowing();
    }
    if (settings.eager()) {
      eager.start();
    }
  }

  String map() {
    return map;
  }

  MapStoreSettings settings() {
    return settings;
  }

  StoreCounts counts() {
    return counts;
  }

  /** Has a database that did not work looked at once more, unless the writer tries it anyway. */
  void lookAgain() {
    if (!isWritten() || counts.waiting.get() <= counts.dead) {
      secondLook.start();
    }
  }

  /** Has the writer look at its queues. */
  void wake() {
    writer.wake();
  }

  /** Has all that waits written, whatever its delay. */
  void drain() {
    if (isWritten()) {
      writer.drain();
    }
  }

  /**
   * Waits until nothing waits, but for dead letters.
   *
   * @param endNanos until when, as {@link System#nanoTime}
   * @return how many writes wait still
   */
  long awaitDrained(long endNanos) {
    return isWritten() ? writer.awaitDrained(endNanos) : 0;
  }

  @Override
  public boolean isWritten() {
    return settings.mode() != StoreMode.READ_THROUGH;
  }

  @Override
  public boolean isWrittenThrough() {
    return settings.mode() == StoreMode.WRITE_THROUGH;
  }

  @Override
  public @Nullable String refusal(Data key, Data value) {
    if (!TableRows.isPlain(key) || !TableRows.isPlain(value)) {
      return "the external store of the map takes strings, numbers, UUIDs, JSON and byte arrays only";
    }
    TableSource.Opened known = table.known();
    if (known == null) {
      return null; // the writer will find out
    }
    try {
      var _ = known.rows().change(key, value);
      return null;
    } catch (StoreValueException | TableRows.UnfitException e) {
      return "the external store of the map does not take the entry: " + e.getMessage();
    }
  }

  @Override
  public @Nullable String refusal() {
    return counts.waiting.get() - counts.dead < settings.mostWaiting()
        ? null
        : "too many writes wait for the external store of the map; nothing was changed; try again"
            + " later";
  }

  @Override
  public void load(Collection<Data> keys, Consumer<Loaded> whenLoaded) {
    loader.load(keys, whenLoaded);
  }

  @Override
  public void write(
      int partition,
      Data key,
      QueuedWrite write,
      @Nullable QueuedWrite replaced,
      @Nullable Consumer<@Nullable RuntimeException> whenWritten) {
    writer.write(partition, key, write, replaced, whenWritten);
  }

  @Override
  public void queued() {
    if (counts.waiting.getAndIncrement() == 0) {
      writer.wake();
    }
  }

  @Override
  public long absentMillis() {
    return settings.negativeTtl().toMillis();
  }

  /** A millisecond more than anybody would give it, so that loaded entries can be told. */
  @Override
  public long keptMillis() {
    Duration kept = settings.timeToLive();
    return kept == null ? 0 : kept.toMillis() + 1;
  }

  @Override
  public long refreshMillis() {
    return settings.refreshAhead() == 0 ? 0 : keptMillis() * (100 - settings.refreshAhead()) / 100;
  }

  @Override
  public void refresh(int partition, Data key) {
    if (refreshing.add(key)) {
      loader.load(
          Set.of(key),
          loaded -> {
            boolean _ = refreshing.remove(key);
            if (loaded.failure() == null) {
              maps.offerRefreshed(map, partition, key, loaded.values().get(key));
            }
          });
    }
  }

  /** Begins to follow what others change in the table. Idempotent. */
  void startFollowing() {
    follower.start();
  }

  /** Ends following for good: the database keeps no changes for the map. On all members. */
  void stopFollowing() {
    follower.end();
  }

  /** Returns what is between the map and its table on this member. */
  MapStoreStatus status() {
    MapStoreStatus status = MapStoreStatus.of(counts);
    String problem = follower.status().problem();
    return problem == null || status.problem() != null
        ? status
        : status.withProblem("the table is not followed: " + problem);
  }

  /** Returns how the table is followed by this member. */
  FollowStatus followed() {
    return follower.status();
  }

  /** Returns whether two values of an entry are one row. */
  boolean isSame(Data key, Data one, Data other) {
    return SameRows.are(table.known(), key, one, other);
  }

  /** Loads entries of a partition that is this member's. Does not block. */
  void read(int partition, Collection<Data> keys) {
    loader.load(
        List.copyOf(keys), loaded -> maps.offerLoaded(map, partition, loaded.values(), () -> {}));
  }

  @Override
  public void close() {
    follower.close();
    writer.close();
    eager.close();
  }

  /** The queues of a map's partitions on a member. */
  private record MemberQueues(
      String map, NativeMaps maps, NodeEngine nodeEngine, StoreCounts counts)
      implements StoreWriter.Queues {
    @Override
    public int partitions() {
      return maps.partitionCount();
    }

    @Override
    public boolean visit(int partition, BiPredicate<Data, QueuedWrite> visitor) {
      WriteQueue queue = maps.writeQueue(map, partition);
      return queue != null && queue.size() > 0 && queue.visit(visitor);
    }

    @Override
    public long ownedMillis(int partition) {
      return maps.ownedMillis(partition);
    }

    @Override
    public void settle(int partition, List<Settlement> settlements, Runnable whenDone) {
      var _ =
          nodeEngine
              .getOperationService()
              .<Integer>invokeOnPartitionAsync(
                  MapService.SERVICE_NAME, new SettleOperation(map, settlements), partition)
              .whenComplete(
                  (left, failure) -> {
                    if (left != null) {
                      long _ = counts.waiting.addAndGet(-left);
                    }
                    whenDone.run();
                  });
    }
  }
}
