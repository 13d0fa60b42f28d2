package io.keyvalueserve.grid.catalogue;

import com.hazelcast.cluster.Member;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryMergedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.OperationService;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.tenancy.RevisionedStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in a system map of the grid, each under its name, with two backups.
 *
 * <p>A change reaches the members by two ways: a {@link CatalogueNotice} that each of them answers,
 * and the map's own events, which also reach a member that could not answer in time. Taking a
 * record in twice, or an old one late, does no harm: the higher revision wins.
 *
 * @param <N> what a record is found by; its text is the map's key
 * @param <R> the records
 */
abstract class RecordMap<N, R> implements RevisionedStore<N, R> {
  static final int BACKUPS = 2;

  private static final Logger LOG = LoggerFactory.getLogger(RecordMap.class);
  private static final long NOTICE_PATIENCE_MILLIS = 3_000;

  private final IMap<String, String> map;
  private final NodeEngine nodeEngine;
  private final List<Consumer<R>> listeners = new CopyOnWriteArrayList<>();

  RecordMap(String mapName, HazelcastInstance instance, NodeEngine nodeEngine) {
    this.map = instance.getMap(mapName);
    this.nodeEngine = nodeEngine;
    map.addEntryListener((EntryAddedListener<String, String>) event -> take(text(event)), true);
    map.addEntryListener((EntryUpdatedListener<String, String>) event -> take(text(event)), true);
    map.addEntryListener((EntryMergedListener<String, String>) event -> take(text(event)), true);
  }

  /**
   * Sets up the system map; before the member starts.
   *
   * @param policy merges its records when the sides of a split meet again
   */
  static void configure(
      Config config,
      String mapName,
      @SuppressWarnings("rawtypes") Class<? extends RecordMergePolicy> policy) {
    config.addMapConfig(
        new MapConfig(mapName)
            .setInMemoryFormat(InMemoryFormat.NATIVE)
            .setBackupCount(BACKUPS)
            .setMergePolicyConfig(new MergePolicyConfig().setPolicy(policy.getName())));
  }

  /** The stored form of a record. */
  abstract String encode(R record);

  /**
   * Reads the stored form of a record.
   *
   * @throws IllegalArgumentException if it is damaged
   */
  abstract R decode(String text);

  abstract N nameOf(R record);

  abstract long revisionOf(R record);

  /** The name of the system map. */
  final String mapName() {
    return map.getName();
  }

  @Override
  public final Optional<R> get(N name) {
    return Optional.ofNullable(map.get(name.toString())).map(this::decode);
  }

  @Override
  public final Collection<R> all() {
    List<R> all = new ArrayList<>();
    for (String record : map.values()) {
      all.add(decode(record));
    }
    return all;
  }

  @Override
  public final boolean replace(@Nullable R expected, R next) {
    String name = nameOf(next).toString();
    String record = encode(next);
    boolean replaced =
        expected == null
            ? map.putIfAbsent(name, record) == null
            : replaceRevision(name, expected, record);
    if (replaced) {
      take(record);
      notifyMembers(record);
    }
    return replaced;
  }

  /** The text may differ where the record does not: what is compared is the revision. */
  private boolean replaceRevision(String name, R expected, String record) {
    String found = map.get(name);
    return found != null
        && revisionOf(decode(found)) == revisionOf(expected)
        && map.replace(name, found, record);
  }

  @Override
  public final void subscribe(Consumer<R> listener) {
    listeners.add(listener);
    all().forEach(listener);
  }

  /** Takes in a record that this member was told of. Thread-safe; never throws. */
  public final void take(String text) {
    R record;
    try {
      record = decode(text);
    } catch (IllegalArgumentException e) {
      LOG.error("a record of {} cannot be read: {}", map.getName(), e.getMessage());
      return;
    }
    for (Consumer<R> listener : listeners) {
      try {
        listener.accept(record);
      } catch (RuntimeException e) {
        LOG.error("a record of {} was not taken in by all: {}", map.getName(), nameOf(record), e);
      }
    }
  }

  /** Takes in all records again: this member has joined another side of a split. Blocks. */
  public final void takeAll() {
    map.values().forEach(this::take);
  }

  private static String text(EntryEvent<String, String> event) {
    return event.getValue();
  }

  private void notifyMembers(String record) {
    OperationService operations = nodeEngine.getOperationService();
    List<CompletableFuture<?>> answers = new ArrayList<>();
    for (Member member : DataMembers.of(nodeEngine)) {
      if (!member.localMember()) {
        answers.add(
            operations
                .createInvocationBuilder(
                    "hz:impl:mapService",
                    new CatalogueNotice(map.getName(), record),
                    member.getAddress())
                .setCallTimeout(NOTICE_PATIENCE_MILLIS)
                .invoke()
                .toCompletableFuture());
      }
    }
    try {
      CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
          .get(NOTICE_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn(
          "a member did not answer to a change of {} in time; the map's event will tell it",
          map.getName(),
          e);
    }
  }
}
