package io.keyvalueserve.grid.restart;

import com.hazelcast.internal.partition.PartitionTableView;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the last partition table that this member knew in a file. A change only marks the file as
 * behind; one thread writes, as many changes as have come in at once.
 *
 * <p>Who owns a partition anew must not acknowledge a durable write before the file says that it
 * does: after a crash the older owner would seem to have the newer data. {@link #whenKept} is for
 * that. Thread-safe.
 */
final class PartitionTableKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionTableKeeper.class);
  private static final int MAGIC = 0x4B56_5350; // KVSP
  private static final long RETRY_MILLIS = 500;
  private static final long MOST_WAITING_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final AtomicFile file;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition progress = lock.newCondition();
  private final List<Runnable> waiting = new ArrayList<>();
  private volatile int[] versions = {};
  private volatile @Nullable KeptTable last;
  private long changed;
  private long kept;
  private Barrier beforeWriting = () -> {};
  private @Nullable Thread writer;
  private boolean closing;

  /** Somebody has waited for as long as that is worth it, and nothing was written since. */
  private boolean inVain;

  PartitionTableKeeper(Path directory) {
    file = new AtomicFile(directory, "partitions", MAGIC);
  }

  /**
   * The table that was kept, if there is one.
   *
   * @throws IOException if it cannot be read or is damaged; the message names the file
   */
  Optional<KeptTable> read() throws IOException {
    Optional<byte[]> bytes = file.read();
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.get()))) {
      KeptTable kept = PartitionRows.read(in);
      versions = versions(kept);
      last = kept;
      return Optional.of(kept);
    } catch (IOException e) {
      throw new IOException("damaged: file=" + file + ": " + e.getMessage(), e);
    }
  }

  /** Writes a table, and returns when it is certain. Before {@link #follow}. */
  void write(KeptTable kept) throws IOException {
    file.write(PartitionRows.encode(kept));
    versions = versions(kept);
    last = kept;
  }

  /** The table that is in the file; null if there is none. */
  @Nullable KeptTable last() {
    return last;
  }

  private static int[] versions(KeptTable kept) {
    PartitionTableView table = kept.table();
    return IntStream.range(0, table.length()).map(id -> table.getPartition(id).version()).toArray();
  }

  /** Whether there is a table in the file. */
  boolean hasAny() {
    return versions.length > 0;
  }

  /**
   * Waits until there is a table in the file.
   *
   * @throws RestartException if it cannot be written
   */
  void awaitFirst() {
    if (hasAny()) {
      return;
    }
    lock.lock();
    try {
      changed++;
      progress.signalAll();
      long left = MOST_WAITING_NANOS;
      while (!hasAny() && !closing) {
        if (left <= 0) {
          throw new RestartException("the partition table cannot be kept: file=" + file);
        }
        left = progress.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RestartException("interrupted while the partition table was written", e);
    } finally {
      lock.unlock();
    }
  }

  /** What has to be waited for. */
  @FunctionalInterface
  interface Barrier {
    void await() throws InterruptedException;
  }

  /**
   * Keeps the table from now on.
   *
   * @param before awaited after the table has been read and before it is written: a table must not
   *     name a member for what that may yet lose
   */
  void follow(Supplier<@Nullable KeptTable> table, Barrier before) {
    beforeWriting = before;
    writer = Thread.ofPlatform().name("kvs-partition-table").daemon().start(() -> keep(table));
  }

  /** The table has changed, or is about to. Does not block. */
  void changed() {
    lock.lock();
    try {
      changed++;
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until a partition is kept in a version or a later one, or can for long not be. */
  void awaitKept(int partition, int version) {
    if (!isKept(partition, version)) {
      keepNow();
    }
  }

  /** Waits until the table as it is now is in the file, or can for long not be written. */
  void keepNow() {
    lock.lock();
    try {
      long goal = ++changed;
      progress.signalAll();
      long left = inVain ? 0 : MOST_WAITING_NANOS;
      while (kept < goal && !closing) {
        if (left <= 0) {
          LOG.error("the partition table cannot be kept: file={}; it goes on without", file);
          inVain = true;
          return;
        }
        left = progress.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Has something done when a partition is kept in a version or a later one: at once if it is. */
  void whenKept(int partition, int version, Runnable task) {
    if (!isKept(partition, version)) {
      lock.lock();
      try {
        if (!isKept(partition, version) && !closing) {
          waiting.add(task);
          changed++;
          progress.signalAll();
          return;
        }
      } finally {
        lock.unlock();
      }
    }
    task.run();
  }

  /** Whether a partition is kept in a version or a later one. Any thread. */
  boolean isKept(int partition, int version) {
    int[] known = versions;
    return partition < known.length && known[partition] >= version;
  }

  private void keep(Supplier<@Nullable KeptTable> table) {
    while (true) {
      long goal;
      lock.lock();
      try {
        while (kept == changed && !closing) {
          progress.awaitUninterruptibly();
        }
        if (kept == changed) {
          return;
        }
        goal = changed;
      } finally {
        lock.unlock();
      }
      boolean written = tryToWrite(table);
      List<Runnable> ready = List.of();
      lock.lock();
      try {
        if (!written && closing) {
          return;
        }
        if (written) {
          kept = goal;
          inVain = false;
          progress.signalAll();
          if (kept == changed) { // whoever waits began to before the table was read
            ready = List.copyOf(waiting);
            waiting.clear();
          }
        }
      } finally {
        lock.unlock();
      }
      ready.forEach(Runnable::run);
    }
  }

  private boolean tryToWrite(Supplier<@Nullable KeptTable> table) {
    try {
      KeptTable now = table.get();
      if (now != null) {
        beforeWriting.await();
        write(now);
      }
      return true;
    } catch (IOException | RuntimeException e) { // if the thread ended, writers would wait for ever
      LOG.error("the partition table cannot be kept, it will be tried again: file={}", file, e);
      return pause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Always false, after a while. */
  private static boolean pause() {
    try {
      Thread.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Keeps what is left. What waits after that is done without. */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      progress.signalAll();
    } finally {
      lock.unlock();
    }
    Thread running = writer;
    if (running != null) {
      try {
        running.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
