package io.keyvalueserve.grid.snapshot;

import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.maps.ChangeTap;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.StoredEntries;
import io.keyvalueserve.snapshots.ChunkStore;
import io.keyvalueserve.snapshots.Manifest;
import io.keyvalueserve.snapshots.SnapshotException;
import io.keyvalueserve.tenancy.TenantName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member's part of a snapshot: the entries of its own partitions.
 *
 * <p>The entries are read while the tenant goes on writing, so each is read as it was at some time.
 * A {@link ChangeTap} is open meanwhile. The part is cut at an instant after the last entry was
 * read: the changes that were made until then are written behind the entries, and replace them when
 * the snapshot is restored. Requests never wait for any of this.
 *
 * <p>Thread-safe. A thread of its own does the work; it gives up when nobody asks for so long.
 */
final class LocalPart implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalPart.class);

  /** A part that nobody asks about for so long is given up: its coordinator is gone. */
  private static final long MOST_SILENCE_NANOS = TimeUnit.MINUTES.toNanos(2);

  private static final Duration MOST_WAIT = Duration.ofSeconds(30);
  private static final int READ_AT_ONCE = 64;
  private static final int MOST_ROUNDS = 100;

  /** The part of the Java heap that changes may take. */
  private static final int HEAP_PART = 16;

  /** The phases of a part, in their order; {@link #FAILED} may follow any. */
  enum Phase {
    /** Entries are read and written. */
    READING,
    /** All entries are written. The part waits to be told the instant of the cut. */
    READ,
    /** The changes until the cut are written. */
    CUTTING,
    /** All is written. */
    WRITTEN,
    /** It will not be written; {@link #problem} says why. */
    FAILED
  }

  private final TenantName tenant;
  private final ChunkStore chunks;
  private final NativeMaps maps;
  private final HazelcastEngine engine;
  private final LongSupplier tableStamp;
  private final long begunStamp;
  private final ChangeTap tap;
  private LatestChanges changes = new LatestChanges();
  private final MapChunks.Sums sums = new MapChunks.Sums();
  private final Map<String, List<Manifest.Chunk>> results = new TreeMap<>();
  private final BlockingQueue<Long> cuts = new LinkedBlockingQueue<>();
  private final Pace pace = new Pace();
  private final long mostBytes = Runtime.getRuntime().maxMemory() / HEAP_PART;
  private final Thread thread;
  private volatile Phase phase = Phase.READING;
  private volatile @Nullable SnapshotFailure problem;
  private final AtomicLong readEntries = new AtomicLong();
  private volatile long askedAt = System.nanoTime();
  private volatile boolean closed;

  /**
   * Opens the tap and begins to read.
   *
   * @param engine knows the transactions that this member coordinates
   * @param tableStamp returns a number that changes whenever partitions have other owners
   */
  LocalPart(
      TenantName tenant,
      ChunkStore chunks,
      NativeMaps maps,
      HazelcastEngine engine,
      LongSupplier tableStamp) {
    this.tenant = tenant;
    this.chunks = chunks;
    this.maps = maps;
    this.engine = engine;
    this.tableStamp = tableStamp;
    this.begunStamp = tableStamp.getAsLong();
    this.tap = maps.taps().open(map -> SnapshotMaps.isIn(tenant, map), mostBytes);
    this.thread = Thread.ofPlatform().daemon().name("kvs-snapshot").start(this::run);
  }

  private boolean isWanted(String map) {
    return SnapshotMaps.isIn(tenant, map) && !SnapshotMaps.isExcluded(map, maps, engine);
  }

  /** Returns the phase, and notes that somebody wants to know. */
  Phase phase() {
    askedAt = System.nanoTime();
    return phase;
  }

  /** Returns whether nobody has asked about the part for so long that nobody will. */
  boolean isForgotten() {
    return System.nanoTime() - askedAt > MOST_SILENCE_NANOS;
  }

  /** Returns why the part failed; null if it has not. */
  @Nullable SnapshotFailure problem() {
    return problem;
  }

  /** Returns the number of entries that were read until now. */
  long readEntries() {
    return readEntries.get();
  }

  /** Returns the stamp of the table of partitions when the part was begun. */
  long begunStamp() {
    return begunStamp;
  }

  /**
   * Waits until the clock of this member has passed an instant, and no transaction is being decided
   * that may have been decided before. Blocks.
   *
   * @throws SnapshotFailure if that takes too long
   */
  void pass(long cutMillis) {
    long deadline = System.nanoTime() + MOST_WAIT.toNanos();
    try {
      while (System.currentTimeMillis() <= cutMillis) {
        if (System.nanoTime() - deadline > 0) {
          throw SnapshotFailure.lasting(
              "the clock of a member is more than "
                  + MOST_WAIT.toSeconds()
                  + " seconds behind the others': set the clocks of the members");
        }
        TimeUnit.MILLISECONDS.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SnapshotFailure.passing("the member ends");
    }
    if (!engine.runningTransactions().awaitDecided(MOST_WAIT)) {
      throw SnapshotFailure.passing("a transaction did not end");
    }
  }

  /** Cuts the part: changes with a later stamp are not in it. After {@link #pass}. */
  void cut(long cutMillis) {
    askedAt = System.nanoTime();
    if (phase == Phase.READ) {
      phase = Phase.CUTTING;
    }
    boolean _ = cuts.offer(cutMillis);
  }

  /** Returns the chunks of each map, by its name in the grid. In phase {@link Phase#WRITTEN}. */
  Map<String, List<Manifest.Chunk>> results() {
    return results;
  }

  /** Returns the sums. In phase {@link Phase#WRITTEN}. */
  MapChunks.Sums sums() {
    return sums;
  }

  private void run() {
    try {
      readAll();
      phase = Phase.READ;
      Long cutMillis = null;
      while (cutMillis == null) {
        requireGoingOn();
        cutMillis = cuts.poll(1, TimeUnit.SECONDS);
      }
      phase = Phase.CUTTING;
      writeChanges(cutMillis);
      requireGoingOn();
      phase = Phase.WRITTEN;
    } catch (SnapshotFailure e) {
      fail(e);
    } catch (SnapshotException e) {
      fail(SnapshotFailure.lasting(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      fail(SnapshotFailure.passing("the part of the snapshot was given up"));
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.warn("a part of a snapshot failed: tenant={}", tenant, e);
      fail(SnapshotFailure.passing("a member could not read its entries; its log says why"));
    } finally {
      tap.close();
      changes = new LatestChanges();
    }
  }

  private void fail(SnapshotFailure e) {
    problem = e;
    phase = Phase.FAILED;
  }

  private void readAll() {
    TreeSet<String> all = new TreeSet<>();
    StoredEntries stored = maps.stored();
    for (int partition = 0; partition < stored.partitions(); partition++) {
      if (stored.owns(partition)) {
        all.addAll(stored.maps(partition, this::isWanted));
      }
    }
    List<String> next = new ArrayList<>(all);
    for (int round = 0; !next.isEmpty(); round++) {
      if (round == MOST_ROUNDS) {
        throw SnapshotFailure.passing("maps are cleared again and again");
      }
      next.forEach(this::read);
      takeChanges(Long.MAX_VALUE);
      next = changes.takeCleared(); // what was read of these is void
    }
  }

  private void read(String map) {
    StoredEntries stored = maps.stored();
    List<Integer> partitions = new ArrayList<>();
    long bytes = 0;
    for (int partition = 0; partition < stored.partitions(); partition++) {
      if (stored.owns(partition)) {
        partitions.add(partition);
        bytes += stored.bytes(map, partition);
      }
    }
    MapChunks to = new MapChunks(chunks, false, bytes < MapChunks.SMALL_MAP_BYTES, sums);
    for (int partition : partitions) {
      to.begin(partition, stored.bytes(map, partition));
      for (long cursor = 0; cursor != StoredEntries.END; ) {
        cursor =
            stored.read(
                map,
                partition,
                cursor,
                READ_AT_ONCE,
                entry -> {
                  long _ = readEntries.incrementAndGet();
                  to.add(entry);
                });
        requireGoingOn();
        takeChanges(Long.MAX_VALUE);
        pace.step();
      }
    }
    results.put(map, new ArrayList<>(to.end()));
  }

  private void takeChanges(long cutMillis) {
    tap.drain(
        change -> {
          if (change.stampMillis() <= cutMillis && isWanted(change.map())) {
            changes.take(change);
          }
        });
    if (tap.hasOverflowed() || changes.bytes() > mostBytes) {
      throw SnapshotFailure.lasting(
          "the tenant changed more than "
              + (mostBytes >> 20)
              + " MiB while its entries were read: take the snapshot when it writes less, or give"
              + " members a larger heap");
    }
  }

  private void writeChanges(long cutMillis) {
    maps.taps().settle();
    takeChanges(cutMillis);
    if (!changes.takeCleared().isEmpty()) {
      throw SnapshotFailure.passing("a map was cleared in the moment of the cut");
    }
    for (String map : changes.maps()) {
      MapChunks to = new MapChunks(chunks, true, true, sums);
      changes.forEach(
          map,
          (partition, entry) -> {
            to.begin(partition, 0);
            to.add(entry);
            pace.step();
          });
      results.computeIfAbsent(map, any -> new ArrayList<>()).addAll(to.end());
      requireGoingOn();
    }
  }

  private void requireGoingOn() {
    if (closed || isForgotten()) {
      throw SnapshotFailure.passing("the part of the snapshot was given up");
    }
    if (tableStamp.getAsLong() != begunStamp) {
      throw SnapshotFailure.passing("partitions have moved to other members");
    }
  }

  /** Gives the part up, or what is left of it. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    tap.close();
  }
}
