package io.keyvalueserve.grid.query;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.EngineException;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.KeyRef;
import io.keyvalueserve.engine.TenantSpace;
import io.keyvalueserve.engine.TransactionRequest;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.Scan;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.grid.query.GridHashTable.HashAccess;
import io.keyvalueserve.grid.settings.MapSettings;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.grid.turn.PartitionTurns;
import io.keyvalueserve.grid.turn.TurnPool;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.gather.TenantHeap;
import io.keyvalueserve.maps.query.MapScan;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.MapAccess;
import io.keyvalueserve.tenancy.grant.Rights;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member's part in queries. It makes pages of scans, on threads that tenants share in turns.
 * Thread-safe.
 */
public final class GridQueries implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GridQueries.class);
  private static final String KEY = "io.keyvalueserve.queries";

  /** Tasks of one tenant may wait so many at a member. */
  private static final int MOST_WAITING = 10_000;

  /** The most keys that the thread which asks for them reads itself. */
  private static final int MOST_KEYS_AT_ONCE = 32;

  /** A thread works so long for one page before it is another's turn. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** A shape that was found in entries is believed for so long. */
  private static final long SHAPE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The shape of a map without entries is believed for so long. */
  private static final long EMPTY_SHAPE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final int MOST_SHAPES = 10_000;
  private static final int SAMPLE = 20;
  private static final Duration SAMPLE_PATIENCE = Duration.ofSeconds(30);

  private final NodeEngine nodeEngine;
  private final NativeMaps maps;
  private final HazelcastEngine engine;
  private final Function<String, MapSettings> settings;
  private final BiConsumer<String, IndexConfig> keptIndexes;
  private final MappingStore mappings;
  private final CompiledScans compiled;
  private final ThreadPoolExecutor threads;
  private final TurnPool pool;
  private final ConcurrentHashMap<String, FoundShape> shapes = new ConcurrentHashMap<>();

  private record FoundShape(TableShape shape, long untilNanos) {}

  private GridQueries(
      NodeEngine nodeEngine,
      PartitionTurns turns,
      Function<String, MapSettings> settings,
      BiConsumer<String, IndexConfig> keptIndexes) {
    this.nodeEngine = nodeEngine;
    this.maps = KvsMapService.mapsOf(nodeEngine);
    this.engine = HazelcastEngine.of(nodeEngine);
    this.settings = settings;
    this.keptIndexes = keptIndexes;
    this.mappings = new MappingStore(nodeEngine.getHazelcastInstance());
    this.compiled = new CompiledScans(maps, this::indexesOf);
    int processors = Runtime.getRuntime().availableProcessors();
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            processors,
            processors,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            task ->
                Thread.ofPlatform()
                    .daemon()
                    .name("kvs-query-" + number.getAndIncrement())
                    .unstarted(task));
    this.pool = turns.share(threads, processors);
  }

  /**
   * Has a member take part in queries. Called once, before other members ask it.
   *
   * @param turns who shares the threads
   * @param settings what this member knows of a map's settings, by its name in the grid
   * @param keptIndexes told of each index that was made; may block
   */
  public static GridQueries install(
      NodeEngine nodeEngine,
      PartitionTurns turns,
      Function<String, MapSettings> settings,
      BiConsumer<String, IndexConfig> keptIndexes) {
    GridQueries queries = new GridQueries(nodeEngine, turns, settings, keptIndexes);
    nodeEngine.getHazelcastInstance().getUserContext().put(KEY, queries);
    return queries;
  }

  /**
   * @throws QueryException if the member does not take part yet
   */
  static GridQueries of(NodeEngine nodeEngine) {
    if (nodeEngine.getHazelcastInstance().getUserContext().get(KEY) instanceof GridQueries there) {
      return there;
    }
    throw new QueryException(
        QueryException.Kind.UNAVAILABLE, "the member starts: try again in a moment");
  }

  NodeEngine nodeEngine() {
    return nodeEngine;
  }

  NativeMaps maps() {
    return maps;
  }

  /** Returns the threads that tenants share in turns. */
  public TurnPool pool() {
    return pool;
  }

  InternalSerializationService serialization() {
    return (InternalSerializationService) nodeEngine.getSerializationService();
  }

  /** Returns the definitions of tables. */
  public MappingStore mappings() {
    return mappings;
  }

  /** Removes what is kept for a tenant that was deleted. Does not block. */
  public void forget(int tenant) {
    engine.patient().execute(() -> mappings.forget(tenant));
  }

  // ---- maps

  /** Returns whether a map exists. Waits until that is known. */
  boolean exists(String map) {
    try {
      engine.awaitKnown(map);
    } catch (EngineException e) {
      throw TableWriter.failure(e);
    }
    return engine.exists(map);
  }

  /** Returns whether a map exists, or may, because its tenant has left memory. */
  boolean mayExist(String map) {
    return engine.mayExist(map);
  }

  /** Returns the maps of a tenant. */
  List<QualifiedName> mapsOf(TenantName tenant) {
    boolean _ = exists(tenant.value() + '/');
    return engine.mapNames().stream()
        .map(QualifiedName::parse)
        .flatMap(Optional::stream)
        .filter(name -> name.tenant().equals(tenant))
        .toList();
  }

  /** Returns the way to the hashes of a map. */
  HashAccess hashes(TableMap map, Identity user) {
    MapAccess granted = map.access();
    TenantSpace space = engine.space(granted == null ? user : granted.owner());
    KeyMap keys = space.map(map.name().map(), user);
    return new HashAccess(
        keys,
        (key, body) -> {
          try {
            return space
                .transact(
                    new TransactionRequest<Boolean>(
                        List.of(new KeyRef(keys, key)), List.of(), body::apply))
                .toCompletableFuture()
                .get()
                .orElse(false);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(
                QueryException.Kind.IN_DOUBT,
                "the statement was ended while it wrote: a part may have been written",
                e);
          } catch (ExecutionException e) {
            throw TableWriter.failure(e.getCause() == null ? e : e.getCause());
          }
        });
  }

  List<TableIndex> indexesOf(String map) {
    return settings.apply(map).indexes().stream()
        .map(index -> new TableIndex(index.name(), index.sorted(), index.attributes()))
        .toList();
  }

  /** Makes an index. Returns when it is built. */
  void addIndex(TableMap map, IndexConfig config) {
    String name = map.gridName();
    writable(map).addIndex(config);
    keptIndexes.accept(name, config); // before it is acknowledged
  }

  /** Returns about how many entries a map has. */
  long estimatedEntries(String map) {
    if (maps.heldTenants().isHeld(map)) {
      return 0; // not known before it is loaded
    }
    long here = MapScan.of(maps, map, new Condition.Constant(true), List.of()).estimatedEntries();
    return here * Math.max(1, DataMembers.of(nodeEngine).size());
  }

  /**
   * Returns a map for writes. It exists afterwards.
   *
   * @throws QueryException if the tenant may have no more maps, or writes would be charged wrong
   */
  IMap<Object, Object> writable(TableMap map) {
    String name = map.gridName();
    if (map.access() != null && settings.apply(name).chargedTo() == ChargedTo.WRITER) {
      throw new QueryException(
          QueryException.Kind.UNSUPPORTED,
          "SQL cannot write to the map '"
              + name
              + "' of another tenant, because its entries are charged to their writers: use a Redis"
              + " or a Hazelcast client");
    }
    try {
      if (!engine.exists(name)) {
        engine.create(name);
      }
    } catch (EngineException e) {
      throw TableWriter.failure(e);
    }
    return engine.map(name);
  }

  /**
   * Returns the shape of a map's entries, from a few of them. Blocks.
   *
   * @param tenant the number of the tenant that asks
   */
  TableShape shapeOf(TableMap map, int tenant) {
    map.require(Rights.READ);
    String name = map.gridName();
    FoundShape known = shapes.get(name);
    if (known != null && System.nanoTime() - known.untilNanos() < 0) {
      return known.shape();
    }
    ShapeFinder finder = new ShapeFinder(serialization());
    boolean isEmpty = true;
    Scan scan = new Scan(List.of(), new Condition.Constant(true), null, null, List.of(), SAMPLE);
    try (ScanRows rows =
        new ScanRows(this, map, scan, true, PlainControl.within(SAMPLE_PATIENCE, tenant))) {
      while (rows.next()) {
        if (rows.row()[0] instanceof Data key) {
          finder.add(key, (Data) rows.row()[1]);
          isEmpty = false;
        }
      }
    }
    if (shapes.size() >= MOST_SHAPES) {
      shapes.clear();
    }
    TableShape shape = finder.shape();
    long good = isEmpty ? EMPTY_SHAPE_NANOS : SHAPE_NANOS;
    shapes.put(name, new FoundShape(shape, System.nanoTime() + good));
    return shape;
  }

  /** Returns the heap that queries of a tenant may take at this member. */
  public TenantHeap heapOf(int tenant) {
    return KvsMapService.heapOf(nodeEngine, tenant);
  }

  /**
   * Asks a member for a page. Does not block, except that it may wait for the disk: this thread
   * reads a few keys itself where this member has them.
   *
   * @param whenDone gets the page or the failure, on any thread
   */
  void ask(
      Address member,
      ScanRequest request,
      BiConsumer<@Nullable ScanPage, @Nullable Throwable> whenDone) {
    if (member.equals(nodeEngine.getThisAddress())) {
      try {
        requireServed(request.map());
      } catch (RetryableHazelcastException e) {
        whenDone.accept(null, e);
        return;
      }
      if (!readKeys(request, page -> whenDone.accept(page, null))) {
        page(request, page -> whenDone.accept(page, null));
      }
      return;
    }
    var _ =
        nodeEngine
            .getOperationService()
            .createInvocationBuilder(MapService.SERVICE_NAME, new ScanOperation(request), member)
            .setTryCount(1)
            .<ScanPage>invoke()
            .whenCompleteAsync(whenDone, Runnable::run);
  }

  /**
   * Checks that the tenant of a map is not held.
   *
   * @throws RetryableHazelcastException if it is: pages can be asked for again in a moment
   */
  void requireServed(String map) {
    if (maps.heldTenants().demand(map)) {
      throw new RetryableHazelcastException("the tenant's maps are being loaded");
    }
  }

  /** Reads the entries of a few keys on this thread, if there is a turn for it. */
  private boolean readKeys(ScanRequest request, Consumer<ScanPage> answer) {
    List<Data> keys = request.keys();
    if (keys == null || keys.size() > MOST_KEYS_AT_ONCE) {
      return false;
    }
    try (TurnPool.OwnTurn turn = pool.tryBegin(request.tenant())) {
      if (turn == null) {
        return false;
      }
      slices(request, answer).run();
    } catch (RuntimeException e) {
      answer.accept(ScanPage.failed(failure(e)));
    }
    return true;
  }

  private Slices slices(ScanRequest request, Consumer<ScanPage> answer) {
    MapScan scan = compiled.of(request.map(), request.scan().condition(), request.scan().fields());
    return new Slices(request, new MemberScan(request, scan, heapOf(request.tenant())), answer);
  }

  /**
   * Makes a page here. Does not block.
   *
   * @param answer gets the page once, on a thread for queries; a page may say why it has failed
   */
  void page(ScanRequest request, Consumer<ScanPage> answer) {
    try {
      execute(request.tenant(), slices(request, answer));
    } catch (RuntimeException e) {
      answer.accept(ScanPage.failed(failure(e)));
    }
  }

  private void execute(int tenant, Runnable task) {
    try {
      pool.execute(tenant, task, () -> true);
    } catch (RejectedExecutionException e) {
      throw new QueryException(
          QueryException.Kind.THROTTLED,
          "too many queries of the tenant wait at a member: try again later",
          e);
    }
  }

  /** Works on a page for a slice, and then waits for its next turn. */
  private final class Slices implements Runnable {
    private final ScanRequest request;
    private final MemberScan page;
    private final Consumer<ScanPage> answer;

    Slices(ScanRequest request, MemberScan page, Consumer<ScanPage> answer) {
      this.request = request;
      this.page = page;
      this.answer = answer;
    }

    @Override
    public void run() {
      ScanPage result;
      try {
        if (!page.slice(SLICE_NANOS)) {
          execute(request.tenant(), this);
          return;
        }
        result = page.page();
      } catch (RuntimeException | Error e) {
        result = ScanPage.failed(failure(e));
      }
      page.close();
      answer.accept(result);
    }
  }

  /** Returns a failure in words that a client may see. */
  static QueryException failure(Throwable e) {
    if (e instanceof QueryException known) {
      return known;
    }
    String id = Long.toString(System.nanoTime() & 0xFFFFFFFFFFL, Character.MAX_RADIX);
    LOG.error("a query has failed: id={}", id, e);
    return new QueryException(
        QueryException.Kind.INTERNAL,
        "the query has failed for a reason that the operator finds in the member's log: id=" + id);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
