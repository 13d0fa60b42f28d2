package io.keyvalueserve.maps;

import static org.awaitility.Awaitility.await;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.grid.space.TestGrid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster for tests of what a map must do for those who use one, whatever its entries are stored
 * in. Every map has a name of its own and the in-memory format under test, which the system
 * property {@code kvs.test.format} overrides. Tests that disturb no member share clusters ({@link
 * SharedGrids}).
 */
final class HdGrid implements AutoCloseable {
  static final InMemoryFormat FORMAT =
      InMemoryFormat.valueOf(System.getProperty("kvs.test.format", "NATIVE"));

  static final int PARTITIONS = 13;

  private static final long PATIENCE_SECONDS = 60;
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final TestGrid grid;
  private final List<HazelcastInstance> clients = new ArrayList<>();
  private int size;

  HdGrid(int members, Consumer<Config> settings) {
    this(new TestGrid(members, PARTITIONS, config -> settings.accept(common(config))), members);
  }

  private HdGrid(TestGrid grid, int members) {
    this.grid = grid;
    size = members;
    awaitSafe();
  }

  /** A cluster whose values leave memory for the disk all the time. */
  static HdGrid spilling(int members) {
    return new HdGrid(
        new TestGrid(members, PARTITIONS, HdGrid::common, TestGrid.MEMORY_BYTES, true), members);
  }

  /** How many values have left memory, of a cluster that {@link #spilling spills}. */
  long spilled() {
    return IntStream.range(0, size).mapToLong(i -> grid.spilling(i).spilled()).sum();
  }

  /** How many values were read for operations that waited for them, of such a cluster. */
  long readsByReaders() {
    return IntStream.range(0, size)
        .mapToLong(i -> Objects.requireNonNull(grid.maps(i).spilling().readers()).readsByReaders())
        .sum();
  }

  /** A cluster that a test may disturb and must close. */
  static HdGrid start(int members) {
    return new HdGrid(members, config -> {});
  }

  static Config common(Config config) {
    config.setProperty("hazelcast.operation.thread.count", "2");
    config.setProperty("hazelcast.operation.generic.thread.count", "2");
    config.setProperty("hazelcast.io.thread.count", "2");
    config.setProperty("hazelcast.event.thread.count", "2");
    config.setProperty("hazelcast.partition.backup.sync.interval", "2");
    config.setProperty("hazelcast.internal.map.expiration.task.period.seconds", "1");
    config.setProperty("hazelcast.internal.map.expiration.cleanup.percentage", "100");
    config.setProperty("hazelcast.internal.map.expiration.cleanup.operation.count", "13");
    config.setProperty("hazelcast.map.expiry.delay.seconds", "1");
    config.setProperty("hazelcast.map.invalidation.batchfrequency.seconds", "1");
    config.setProperty("hazelcast.transaction.max.timeout", "300");
    Shapes.register(config.getSerializationConfig());
    return config;
  }

  int size() {
    return size;
  }

  HazelcastInstance member(int index) {
    return grid.member(index);
  }

  /** A tenant's map as a door of a member sees it. */
  KeyMap keys(int member, String tenant, String map) {
    return grid.map(member, tenant, map);
  }

  /** What a member knows of the changes since others were lost. */
  ChangeJournal changes(int index) {
    return grid.maps(index).changes();
  }

  HazelcastInstance join() {
    size++;
    return grid.join();
  }

  /** Kills a member without a farewell. */
  void terminate(int index) {
    size--;
    grid.terminate(index);
  }

  void shutDown(int index) {
    size--;
    grid.shutDown(index);
  }

  /** How many entries of a map the members hold as owners, those that have expired included. */
  long owned(IMap<?, ?> map) {
    return IntStream.range(0, size)
        .mapToLong(i -> at(i, map).getLocalMapStats().getOwnedEntryCount())
        .sum();
  }

  /** How many entries there are in memory, with backups, read or not. */
  long held(IMap<?, ?> map) {
    long held = 0;
    for (int i = 0; i < size; i++) {
      var stats = at(i, map).getLocalMapStats();
      held += stats.getOwnedEntryCount() + stats.getBackupEntryCount();
    }
    return held;
  }

  /** Waits until every partition has its backups. */
  void awaitSafe() {
    await()
        .until(
            () ->
                member(0).getCluster().getMembers().size() == size
                    && member(0).getPartitionService().isClusterSafe());
  }

  /** A client of the cluster, closed with it. */
  HazelcastInstance client(Consumer<ClientConfig> settings) {
    ClientConfig config = new ClientConfig();
    config.setClusterName(member(0).getConfig().getClusterName());
    config.setProperty("hazelcast.logging.type", "jdk");
    config.getMetricsConfig().setEnabled(false);
    for (int i = 0; i < size; i++) {
      var address = member(i).getCluster().getLocalMember().getAddress();
      config.getNetworkConfig().addAddress(address.getHost() + ":" + address.getPort());
    }
    Shapes.register(config.getSerializationConfig());
    settings.accept(config);
    HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
    clients.add(client);
    return client;
  }

  /** A new map as the first member sees it. */
  <K, V> IMap<K, V> map() {
    return map(config -> {});
  }

  /** A new map with settings of its own. */
  <K, V> IMap<K, V> map(Consumer<MapConfig> settings) {
    return member(0).getMap(mapName(settings));
  }

  /** The name of a new map that does not exist yet. */
  String mapName(Consumer<MapConfig> settings) {
    String name = "map-" + NAMES.incrementAndGet();
    configure(name, settings);
    return name;
  }

  /** Gives maps of a name, which may end with a star, the format under test. */
  void configure(String name, Consumer<MapConfig> settings) {
    member(0).getConfig().addMapConfig(mapConfig(name, settings));
  }

  /** For clusters that must know a map before it is used, as members that join later do. */
  static MapConfig mapConfig(String name, Consumer<MapConfig> settings) {
    MapConfig config = new MapConfig(name).setInMemoryFormat(FORMAT);
    settings.accept(config);
    return config;
  }

  /** The same map as another member sees it. */
  <K, V> IMap<K, V> at(int index, IMap<K, V> map) {
    return member(index).getMap(map.getName());
  }

  /** The same map as the last member sees it. */
  <K, V> IMap<K, V> elsewhere(IMap<K, V> map) {
    return at(size - 1, map);
  }

  /** The same map as a client sees it, or as the last member does. */
  <K, V> IMap<K, V> from(boolean client, IMap<K, V> map) {
    return client ? SharedGrids.client(this).getMap(map.getName()) : elsewhere(map);
  }

  /** A key whose partition a member owns now. */
  String keyOwnedBy(int index) {
    var partitions = member(0).getPartitionService();
    var owner = member(index).getCluster().getLocalMember().getUuid();
    for (int i = 0; ; i++) {
      String key = "key-" + i;
      var of = partitions.getPartition(key).getOwner();
      if (of != null && of.getUuid().equals(owner)) {
        return key;
      }
    }
  }

  /** What a thread of a member that reads without an operation finds: see {@link LocalMap}. */
  int containsAtOnce(int member, IMap<?, ?> map, String key) {
    byte[] data = TestGrid.nodeEngine(member(member)).toData(key).toByteArray();
    int partition = member(member).getPartitionService().getPartition(key).getPartitionId();
    return grid.maps(member)
        .local()
        .of(map.getName(), Writers.OWNER)
        .contains(partition, data, 0, data.length);
  }

  /** How much memory outside the Java heap the maps of all members use. */
  long bytesInUse() {
    return IntStream.range(0, size).mapToLong(i -> grid.maps(i).usedBytes()).sum();
  }

  /** How much of that memory a map uses on a member. */
  long bytesOf(int member, String map) {
    return grid.maps(member).usage().stream()
        .filter(usage -> usage.map().equals(map))
        .mapToLong(NativeMapUsage::bytes)
        .sum();
  }

  /** Takes what was held of maps on a member. */
  List<HeldTime> takeHeldTimes(int member) {
    return grid.maps(member).takeHeldTimes();
  }

  /** Whether a member has anything of a map, be it empty. */
  boolean isAnywhere(String map) {
    return IntStream.range(0, size)
        .anyMatch(i -> grid.maps(i).usage().stream().anyMatch(usage -> usage.map().equals(map)));
  }

  /** How much of that memory is free on the first member. */
  long bytesFree() {
    return grid.maps(0).freeBytes();
  }

  /** Runs a task in a thread of its own, as locks belong to threads, and waits for its result. */
  static <T extends @Nullable Object> T inAnotherThread(Callable<T> task) {
    return result(start(task));
  }

  static <T extends @Nullable Object> FutureTask<T> start(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    Thread.ofPlatform().daemon().start(future);
    return future;
  }

  static <T extends @Nullable Object> T result(FutureTask<T> task) {
    try {
      return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("the task failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("the task did not end within " + PATIENCE_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Numbered entries, {@code k0=v0} and so on. */
  static Map<String, String> entries(int count) {
    Map<String, String> entries = HashMap.newHashMap(count);
    for (int i = 0; i < count; i++) {
      entries.put("k" + i, "v" + i);
    }
    return entries;
  }

  @Override
  public void close() {
    clients.forEach(HazelcastInstance::shutdown);
    grid.close();
  }
}
