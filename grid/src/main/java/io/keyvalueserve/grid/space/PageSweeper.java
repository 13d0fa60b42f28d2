package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.engine.collection.CorruptCollectionException;
import io.keyvalueserve.engine.collection.LargeCollections;
import io.keyvalueserve.engine.collection.PageChanges.Subtree;
import io.keyvalueserve.maps.DroppedHeads;
import io.keyvalueserve.maps.HiddenMaps;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees the pages of large collections that were removed, replaced or have expired: some at a time,
 * on the owner of their partition. A removal itself takes the same time for any size.
 *
 * <p>The queue is bounded and dies with the member. So all pages are looked at too: a while after
 * the member starts or its partitions change, after the queue was full, and now and then. What no
 * collection leads to is removed.
 *
 * <p>Thread-safe.
 */
public final class PageSweeper implements DroppedHeads {
  private static final Logger LOG = LoggerFactory.getLogger(PageSweeper.class);
  private static final int MOST_JOBS = 10_000;
  private static final long PAUSE_MILLIS = 5_000;
  private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long SELDOM_NANOS = TimeUnit.MINUTES.toNanos(30);

  private final NodeEngine nodeEngine;
  private final Partitions partitions;
  private final BlockingQueue<Job> jobs = new ArrayBlockingQueue<>(MOST_JOBS);
  private final ReachablePages reachable = new ReachablePages();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final LongSupplier nanos;
  private volatile boolean lookSoon = true;
  private volatile boolean busy;
  private long stamp;

  private record Job(String map, int partition, Data key, boolean certain, List<Subtree> trees) {}

  PageSweeper(NodeEngine nodeEngine, Partitions partitions) {
    this.nodeEngine = nodeEngine;
    this.partitions = partitions;
    this.nanos = System::nanoTime;
  }

  /** The one of a member; always the same. */
  static PageSweeper of(NodeEngine nodeEngine) {
    return HazelcastEngine.of(nodeEngine).sweeper();
  }

  ReachablePages reachable() {
    return reachable;
  }

  /**
   * Has trees of pages removed that nobody needs, soon. Does not block.
   *
   * @param map the name of the map with the collection
   */
  void add(String map, int partition, Data key, List<Subtree> trees) {
    add(new Job(map, partition, key, true, trees));
  }

  private void add(Job job) {
    if (!jobs.offer(job)) {
      lookSoon = true;
    }
    begin();
  }

  @Override
  public void dropped(String map, int partition, Data key, Data head) {
    CollectionValue value = KeyData.collection(head);
    if (value == null
        || !nodeEngine.getPartitionService().getPartition(partition, false).isLocal()) {
      return;
    }
    try {
      List<Subtree> trees = LargeCollections.trees(value);
      if (!trees.isEmpty()) {
        add(new Job(map, partition, key, false, trees));
      }
    } catch (CorruptCollectionException e) {
      lookSoon = true;
    }
  }

  /** Has all pages looked at in a while. */
  void lookSoon() {
    lookSoon = true;
    begin();
  }

  @Override
  public void manyDropped() {
    lookSoon();
  }

  /** Returns whether nothing is known that is still to be removed. */
  public boolean isIdle() {
    return jobs.isEmpty() && !busy;
  }

  /** Begins to work, unless it has begun. Does not block. */
  public void begin() {
    if (!begun.get() && begun.compareAndSet(false, true)) {
      Thread _ = Thread.ofVirtual().name("kvs-pages").start(this::run);
    }
  }

  private void run() {
    long lookAt = nanos.getAsLong() + SOON_NANOS;
    while (nodeEngine.isRunning()) {
      try {
        Job job = jobs.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        if (job != null) {
          busy = true;
          remove(job);
        }
        busy = false;
        long now = nodeEngine.getPartitionService().getPartitionStateStamp();
        if (now != stamp || lookSoon) {
          stamp = now;
          lookSoon = false;
          lookAt = Math.min(lookAt, nanos.getAsLong() + SOON_NANOS);
        }
        if (lookAt - nanos.getAsLong() <= 0) {
          lookAt = nanos.getAsLong() + SELDOM_NANOS;
          sweepAll();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException | Error e) { // or pages would stay for ever
        lookSoon = true;
        if (nodeEngine.isRunning()) {
          LOG.debug("pages of removed collections are looked at again later: {}", e.toString());
        }
      }
    }
  }

  private void remove(Job job) {
    long[] trees = PageRemoval.pairs(job.trees());
    while (trees.length > 0 && nodeEngine.isRunning()) {
      try {
        trees =
            partitions
                .<long[]>ask(
                    new PageRemoval(job.map(), job.key(), job.certain(), trees), job.partition())
                .join();
      } catch (CompletionException e) {
        lookSoon = true;
        return;
      }
    }
  }

  /** Looks at all pages of this member's partitions. Blocks. */
  void sweepAll() {
    MapService service = nodeEngine.getService(MapService.SERVICE_NAME);
    MapServiceContext context = service.getMapServiceContext();
    for (String behind : List.copyOf(context.getMapContainers().keySet())) {
      if (HiddenMaps.isPages(behind)) {
        for (int partition : owned(context, behind)) {
          sweep(HiddenMaps.inFrontOf(behind), partition);
        }
      }
    }
    reachable.forget();
  }

  private List<Integer> owned(MapServiceContext context, String behind) {
    List<Integer> owned = new ArrayList<>();
    for (int partition = 0; partition < partitions.count(); partition++) {
      if (nodeEngine.getPartitionService().getPartition(partition, false).isLocal()
          && context.getExistingRecordStore(partition, behind) != null) {
        owned.add(partition);
      }
    }
    return owned;
  }

  private void sweep(String map, int partition) {
    long cursor = 0;
    while (cursor >= 0 && nodeEngine.isRunning()) {
      cursor = partitions.<Long>ask(new PageSweep(map, cursor), partition).join();
    }
  }
}
