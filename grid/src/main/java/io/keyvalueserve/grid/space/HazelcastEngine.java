package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.proxyservice.InternalProxyService;
import com.hazelcast.spi.properties.ClusterProperty;
import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap.OutcomeSink;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.Uncertain;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.grid.blocking.KeyWaits;
import io.keyvalueserve.grid.channel.GridChannelBus;
import io.keyvalueserve.grid.kept.HeapCost;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.maps.LocalMaps;
import io.keyvalueserve.maps.LockedStores;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.TenantUnreadableException;
import io.keyvalueserve.maps.Tenure;
import io.keyvalueserve.maps.UncertainRecords;
import io.keyvalueserve.tenancy.Identity;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The key-value engine of a Hazelcast member, whose map service must be {@code KvsMapService}, and
 * whose configuration must have been through {@link SpaceSerialization#register}.
 *
 * <p><b>What is guaranteed.</b> An outcome that arrived is in the primary, and in as many
 * synchronous backups as the map is configured to have, unless these fail to confirm within
 * Hazelcast's {@code hazelcast.operation.backup.timeout.millis} while members come and go. When a
 * member dies with commands on their way, those that may be carried out twice without harm (reads,
 * plain writes) are, on the new owner; all others fail with {@code TIMEOUT}, as nobody can say
 * whether they took effect. No counter ever counts twice.
 *
 * <p>Thread-safe. Never blocks a caller: what has to wait does so on virtual threads.
 */
public final class HazelcastEngine implements Engine {
  private static final String KEY = "io.keyvalueserve.engine";
  private static final long KNOWN_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long NAME_BYTES = 2L * HeapCost.OBJECT;

  private final NodeEngine nodeEngine;
  private final Partitions partitions;
  private final long lockPatienceMillis;
  private final Function<String, @Nullable TenantHoldings> usages;
  private final NativeMaps maps;
  private final Tenure tenure;
  private final @Nullable LocalMaps local;
  private final @Nullable MemberLinks links;
  private final GridChannelBus channelBus;
  private final GridNoticeStore notices;
  private final LockedStores lockedStores;
  private final TransactionSettler settler;
  private final PageSweeper sweeper;
  private final Transactions transactions;
  private final TransactionDecisions decisions;
  private final DirectTransactions directTransactions;
  private final LogSyncs logSyncs;
  private final ReadStamps readStamps = new ReadStamps();
  private volatile Predicate<String> inMemoryAlone = map -> false;
  private volatile TransactionEnder transactionEnder = (map, key) -> false;
  private final Executor patient =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("kvs-space-", 0).factory());

  private HazelcastEngine(NodeEngine nodeEngine) {
    FastPath fastPath = FastPath.of(nodeEngine.getHazelcastInstance());
    this.nodeEngine = nodeEngine;
    this.channelBus = new GridChannelBus(nodeEngine);
    this.partitions = new Partitions(nodeEngine, patient);
    this.maps = KvsMapService.mapsOf(nodeEngine);
    this.notices = new GridNoticeStore(nodeEngine.getHazelcastInstance(), maps);
    this.usages = maps.accounts()::usageOf;
    this.tenure = maps.tenure();
    this.local = fastPath.direct() ? maps.local() : null;
    if (fastPath.direct()) {
      maps.runInline(operation -> operation instanceof BatchOperation batch && batch.isQuick());
    }
    this.links = fastPath.coalescing() ? new MemberLinks(nodeEngine, fastPath.channels()) : null;
    this.decisions =
        new TransactionDecisions(nodeEngine.getHazelcastInstance(), map -> inMemoryAlone.test(map));
    TransactionParts parts = new TransactionParts(partitions);
    this.lockedStores = new LockedStores(nodeEngine);
    this.settler = new TransactionSettler(nodeEngine, lockedStores, decisions, parts);
    this.sweeper = new PageSweeper(nodeEngine, partitions);
    maps.onDroppedHeads(sweeper);
    this.logSyncs = new LogSyncs(nodeEngine, maps, patient);
    this.directTransactions = new DirectTransactions(this, nodeEngine, local);
    this.transactions = new Transactions(this, nodeEngine, decisions, parts);
    this.lockPatienceMillis =
        nodeEngine.getProperties().getMillis(ClusterProperty.OPERATION_CALL_TIMEOUT_MILLIS);
  }

  /**
   * The engine of a member; always the same. It takes the shortcuts that the member's user context
   * has under {@link FastPath#KEY}.
   */
  public static HazelcastEngine of(NodeEngine nodeEngine) {
    return (HazelcastEngine)
        nodeEngine
            .getHazelcastInstance()
            .getUserContext()
            .computeIfAbsent(KEY, key -> new HazelcastEngine(nodeEngine));
  }

  @Override
  public TenantSpace space(Identity identity) {
    return space(identity, Runnable::run);
  }

  @Override
  public TenantSpace space(Identity identity, Executor endOfTurn) {
    return new HazelcastSpace(this, identity, endOfTurn);
  }

  Partitions partitions() {
    return partitions;
  }

  /** Returns what finds the locks of this member's partitions. */
  public LockedStores lockedStores() {
    return lockedStores;
  }

  /** Returns what ends transactions whose coordinator does not. */
  public TransactionSettler settler() {
    return settler;
  }

  /** Returns what frees the pages of collections that have gone. */
  public PageSweeper sweeper() {
    return sweeper;
  }

  /**
   * Observes the steps of the transactions that this member coordinates, for tests that let members
   * fail there.
   *
   * @param probe gets the name of each step, on the thread that runs the transaction
   */
  public void probeTransactions(Consumer<String> probe) {
    transactions.probe(step -> probe.accept(step.name()));
  }

  /** Returns who waits for keys. */
  public KeyWaits waits() {
    return KeyWaits.of(nodeEngine);
  }

  /** Ends the transaction that has locked a key. */
  @FunctionalInterface
  public interface TransactionEnder {
    /**
     * Ends it. Blocks.
     *
     * @param map the map's name in the grid
     * @return false if no transaction has locked the key
     */
    boolean end(String map, Data key);
  }

  /** Sets how a transaction is ended by a key that it has locked. */
  public void endTransactionsWith(TransactionEnder ender) {
    transactionEnder = ender;
  }

  /**
   * Ends the transaction that has locked a key, because a client forces the lock off. Blocks.
   *
   * @param map the map's name in the grid
   * @return false if no transaction has locked the key
   */
  public boolean endTransaction(String map, Data key) {
    return transactionEnder.end(map, key);
  }

  /** Returns the transactions that this member coordinates. */
  public RunningTransactions runningTransactions() {
    return transactions.running();
  }

  /**
   * Returns whether a transaction was committed at a time or before that may not be carried out
   * yet. Blocks.
   *
   * @param millis since 1970
   */
  public boolean hasCommitted(long millis) {
    return decisions.hasCommitted(millis);
  }

  /** Returns what this member knows of the stamps of partitions. */
  ReadStamps readStamps() {
    return readStamps;
  }

  Transactions transactions() {
    return transactions;
  }

  /** Returns the place at which scans of any map find a key. */
  long placeOf(byte[] key) {
    return KeyScan.cursor(
        PartitionHash.partition(key, 0, key.length, partitions.count()),
        maps.position(key, Utf8.isWellFormed(key)));
  }

  /** Returns since when this member is in the cluster. */
  Tenure tenure() {
    return tenure;
  }

  /**
   * A batch to be filled and sent.
   *
   * @param tenant the number of who sends it
   */
  PartitionBatch newBatch(
      String map,
      int tenant,
      int partition,
      long lockThread,
      Executor endOfTurn,
      OutcomeSink sink) {
    return new PartitionBatch(
        partitions, links, map, tenant, partition, lockThread, lockPatienceMillis, endOfTurn, sink);
  }

  @Override
  public GridChannelBus channelBus() {
    return channelBus;
  }

  @Override
  public GridNoticeStore notices() {
    return notices;
  }

  @Override
  public Uncertain uncertain() {
    return local == null ? Uncertain.NONE : local.uncertain();
  }

  /**
   * Returns the operations on a map that can be carried out at once.
   *
   * @param tenant the number of the tenant that uses the map
   */
  DirectMap direct(String map, int tenant) {
    return local == null ? DirectMap.NONE : new DirectKeyMap(local.of(map, tenant), nodeEngine);
  }

  /**
   * Returns the operations on a map that can be carried out at once, for a thread that waits for
   * the records added to {@code uncertain}.
   */
  DirectMap direct(String map, int tenant, Uncertain uncertain) {
    return local != null && uncertain instanceof UncertainRecords records
        ? new DirectKeyMap(local.of(map, tenant, records), nodeEngine)
        : direct(map, tenant);
  }

  /** Returns the number of backups that the writes to a map wait for, as many as members allow. */
  int backups(String map) {
    int configured = nodeEngine.getConfig().findMapConfig(map).getBackupCount();
    return Math.min(configured, DataMembers.of(nodeEngine).size() - 1);
  }

  /** Returns what waits for the disks of members. */
  LogSyncs logSyncs() {
    return logSyncs;
  }

  /** Sets of which maps, by the grid's names, nothing may be on a disk. */
  public void keepInMemoryAlone(Predicate<String> maps) {
    inMemoryAlone = maps;
  }

  /**
   * Returns whether nothing of a map may be on a disk, as far as this member knows.
   *
   * @param map its name in the grid
   */
  public boolean isInMemoryAlone(String map) {
    return inMemoryAlone.test(map);
  }

  /** Returns whether a map is logged. */
  boolean isLogged(String map) {
    return maps.isLogged(map);
  }

  /** Returns how long a command waits for a key that another client has locked, in milliseconds. */
  long lockPatienceMillis() {
    return lockPatienceMillis;
  }

  /** Runs what may block, each task on a virtual thread of its own. */
  public Executor patient() {
    return patient;
  }

  /**
   * Waits until it is known which maps the tenant of a map has, if that has left memory. Blocks.
   *
   * @param map its name in the grid; it need not exist
   * @throws EngineException if that takes too long
   */
  public void awaitKnown(String map) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lockPatienceMillis);
    while (!exists(map) && maps.heldTenants().demandNames(map)) {
      if (System.nanoTime() - deadline > 0) {
        throw Failures.exception(new TenantUnreadableException());
      }
      LockSupport.parkNanos(KNOWN_POLL_NANOS);
    }
  }

  /** Returns whether the map may exist, because its tenant has left memory, or does. */
  public boolean mayExist(String map) {
    return exists(map) || maps.heldTenants().isHeld(map);
  }

  /** Returns whether the map is known here to exist. */
  public boolean exists(String map) {
    return proxies().existsDistributedObject(MapService.SERVICE_NAME, map);
  }

  /**
   * Makes the map exist in the eyes of the whole cluster. Blocks.
   *
   * @throws EngineException {@code QUOTA} if the tenant has the maps it may have, or the names that
   *     fit its part of the Java heap
   */
  public void create(String map) {
    awaitKnown(map);
    TenantHoldings usage = usages.apply(map);
    String refusal = usage == null ? null : usage.refusalOfMap(map, System.nanoTime());
    if (refusal == null && !exists(map)) {
      refusal = refusalOfName(map);
    }
    if (refusal != null) {
      throw new EngineException(new Outcome.Failure(Kind.QUOTA, refusal));
    }
    IMap<Object, Object> _ = map(map);
  }

  /**
   * Reserves the Java heap that the name of a map takes which does not exist yet. Reading makes
   * members keep it too.
   *
   * @return null if it may be used; else why not, in words for the tenant
   */
  @Nullable String refusalOfName(String map) {
    TenantHoldings usage = usages.apply(map);
    return usage == null || usage.heap().reserve(NAME_BYTES) ? null : usage.heap().refusal();
  }

  /** The map as Hazelcast's own users have it. Blocks if it does not exist yet. */
  public IMap<Object, Object> map(String name) {
    return nodeEngine.getHazelcastInstance().getMap(name);
  }

  /** The names of all maps, whosever they are. */
  public Collection<String> mapNames() {
    return proxies().getDistributedObjectNames(MapService.SERVICE_NAME);
  }

  private InternalProxyService proxies() {
    return (InternalProxyService) nodeEngine.getProxyService();
  }

  /** Runs a task that may block, and fails the stage as the port wants it. */
  <T> CompletableFuture<T> patiently(Task<T> task) {
    if (refuses()) {
      return refused();
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    patient.execute(
        () -> {
          try {
            result.complete(task.run());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            result.completeExceptionally(Failures.exception(e));
          } catch (RuntimeException | Error e) {
            result.completeExceptionally(Failures.exception(e));
          }
        });
    return result;
  }

  /**
   * Writes entries of a map at once, as one transaction.
   *
   * @return null if it declined; a failure if it is not known what was written
   */
  @Nullable Outcome writeTogether(HazelcastKeyMap map, List<KeyCommand> entries) {
    try {
      return directTransactions.write(map, entries) ? Outcome.Applied.WITHOUT_PREVIOUS : null;
    } catch (EngineException e) {
      return e.failure();
    } catch (RuntimeException | Error e) {
      return Failures.of(e);
    }
  }

  /** Runs a transaction. The stage fails as the port wants it. */
  <T> CompletableFuture<Optional<T>> transact(TransactionRequest<T> request) {
    if (refuses()) {
      return refused();
    }
    try {
      DirectTransactions.Answer<T> answer = directTransactions.run(request);
      if (answer != null) {
        return CompletableFuture.completedFuture(answer.value());
      }
    } catch (Transactions.BodyException e) {
      return CompletableFuture.failedFuture(e.getCause());
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(Failures.exception(e));
    }
    CompletableFuture<Optional<T>> result = new CompletableFuture<>();
    patient.execute(
        () -> {
          try {
            result.complete(transactions.run(request));
          } catch (Transactions.BodyException e) {
            result.completeExceptionally(e.getCause());
          } catch (RuntimeException | Error e) {
            result.completeExceptionally(Failures.exception(e));
          }
        });
    return result;
  }

  /**
   * Returns whether the member has been without a majority for so long that clients are not to wait
   * for it.
   */
  boolean refuses() {
    return maps.lease().refuses();
  }

  static <T> CompletableFuture<T> refused() {
    return CompletableFuture.failedFuture(new EngineException(Failures.noMajority()));
  }

  /** A task that may block. */
  @FunctionalInterface
  interface Task<T> {
    T run() throws InterruptedException;
  }
}
