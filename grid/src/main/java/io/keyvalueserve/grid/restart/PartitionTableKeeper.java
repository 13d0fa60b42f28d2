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
  private final long patienceNanos;
  private final List<Waiting> waiting = new ArrayList<>();
  private volatile int[] versions = {};
  private volatile @Nullable KeptTable last;
  private long changed;
  private long looked; // the last change after which the table was looked at
  private long kept; // as looked, if there was a table then
  private Barrier beforeWriting = () -> {};
  private volatile @Nullable Thread writer;
  private boolean closing;

  /** No later table will be kept. */
  private boolean over;

  /** It could for long not be written, or not by a member whose log has failed; nor since. */
  private boolean inVain;

  private volatile boolean logFailed;
  private long failingSince; // 0: the last attempt did not fail

  /** The task to run when a partition is kept, and the one to run if that fails. */
  private record Waiting(int partition, int version, Runnable kept, Runnable notKept) {}

  PartitionTableKeeper(Path directory) {
    this(directory, MOST_WAITING_NANOS);
  }

  /**
   * @param patienceNanos how long anybody waits for a table that cannot be written
   */
  PartitionTableKeeper(Path directory, long patienceNanos) {
    file = new AtomicFile(directory, "partitions", MAGIC);
    this.patienceNanos = patienceNanos;
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

  /** Removes the table. After {@link #close}. */
  void delete() throws IOException {
    file.delete();
  }

  /** The table that is in the file; null if there is none. */
  @Nullable KeptTable last() {
    return last;
  }

  private static int[] versions(KeptTable kept) {
    PartitionTableView table = kept.table();
    return IntStream.range(0, table.length()).map(id -> table.getPartition(id).version()).toArray();
  }

  /** Returns whether there is a table in the file. */
  boolean hasAny() {
    return versions.length > 0;
  }

  /**
   * Waits until there is a table in the file.
   *
   * @return whether there is, or it is not needed any more; false if it cannot be written
   * @throws RestartException if the caller was interrupted
   */
  boolean awaitFirst() {
    if (hasAny()) {
      return true;
    }
    lock.lock();
    try {
      changed++;
      progress.signalAll();
      long left = patienceNanos;
      while (!hasAny() && !closing) {
        if (left <= 0 || inVain) {
          return false;
        }
        left = progress.awaitNanos(left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RestartException("interrupted while the partition table was written", e);
    } finally {
      lock.unlock();
    }
  }

  /** A condition that has to be waited for. */
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

  /** The log takes nothing any more: if the table cannot be written either, nobody waits for it. */
  void logFailed() {
    lock.lock();
    try {
      logFailed = true;
      changed();
    } finally {
      lock.unlock();
    }
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

  /**
   * Waits until a partition is kept in a version or a later one, or can for long not be.
   *
   * @return false if it is not kept as this member has no table any more: it has left its cluster
   */
  boolean awaitKept(int partition, int version) {
    return isKept(partition, version) || keepNow();
  }

  /**
   * Waits until the table as it is now is in the file, or can for long not be written.
   *
   * @return false if there is no table any more, so that nothing was kept
   */
  boolean keepNow() {
    lock.lock();
    try {
      long goal = ++changed;
      progress.signalAll();
      long left = patienceNanos;
      while (looked < goal && !closing && !over) {
        if (left <= 0 || inVain) {
          LOG.error("a change of the partition table goes on without being kept: file={}", file);
          inVain = true;
          return true;
        }
        left = progress.awaitNanos(left);
      }
      return kept >= goal;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Keeps the table as it is now, or as it was when it was there, and no later one: whoever waits
   * for a later one is told that it is not kept. Waits for that. Idempotent.
   */
  void keepLast() {
    if (writer != null) {
      boolean _ = keepNow();
    }
    List<Waiting> left;
    lock.lock();
    try {
      over = true;
      left = List.copyOf(waiting);
      waiting.clear();
      progress.signalAll();
    } finally {
      lock.unlock();
    }
    left.forEach(each -> tell(each, false));
  }

  /** Returns whether no later table will be kept because the member goes down. */
  boolean isEnding() {
    lock.lock();
    try {
      return closing || over;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Has something done when a partition is kept in a version or a later one: at once if it is.
   *
   * @param notKept done instead if the table cannot be written, or will not be any more as the
   *     member goes down; does not block
   */
  void whenKept(int partition, int version, Runnable task, Runnable notKept) {
    Waiting one = new Waiting(partition, version, task, notKept);
    if (!isKept(partition, version)) {
      lock.lock();
      try {
        if (!isKept(partition, version) && !closing && !over) {
          waiting.add(one);
          changed++;
          progress.signalAll();
          return;
        }
      } finally {
        lock.unlock();
      }
    }
    tell(one, false);
  }

  /**
   * Returns whether a partition is kept in {@code version} or a later one. Any thread may call
   * this.
   */
  boolean isKept(int partition, int version) {
    int[] known = versions;
    return partition < known.length && known[partition] >= version;
  }

  private enum Attempt {
    WRITTEN,
    FAILED,
    /** The member has no table, and has not yet or no longer to keep one. */
    NO_TABLE
  }

  private void keep(Supplier<@Nullable KeptTable> table) {
    while (true) {
      long goal;
      lock.lock();
      try {
        while (looked == changed && !closing) {
          progress.awaitUninterruptibly();
        }
        if (looked == changed || over) {
          return;
        }
        goal = changed;
      } finally {
        lock.unlock();
      }
      Attempt attempt = tryToWrite(table);
      List<Waiting> told = List.of();
      lock.lock();
      try {
        if (attempt == Attempt.FAILED) {
          if (closing) {
            return;
          }
          noteFailure();
        } else {
          looked = goal;
          if (attempt == Attempt.WRITTEN) {
            kept = goal;
            inVain = false;
            failingSince = 0;
          }
          progress.signalAll();
        }
        if (inVain || (attempt == Attempt.WRITTEN && looked == changed)) {
          told = List.copyOf(waiting); // who waits for it began to before the table was read
          waiting.clear();
        }
      } finally {
        lock.unlock();
      }
      told.forEach(each -> tell(each, attempt == Attempt.WRITTEN));
      if (attempt == Attempt.FAILED) {
        pause();
      }
    }
  }

  /** A member whose log has failed keeps no later versions than it had, also if it can write. */
  private void tell(Waiting one, boolean written) {
    if (isKept(one.partition, one.version) || (written && !logFailed)) {
      one.kept.run();
    } else {
      one.notKept.run();
    }
  }

  private void noteFailure() {
    long now = System.nanoTime();
    if (failingSince == 0) {
      failingSince = now == 0 ? 1 : now;
    }
    if (!inVain && (logFailed || now - failingSince >= patienceNanos)) {
      LOG.error("the partition table cannot be kept, who waits goes on without: file={}", file);
      inVain = true;
      progress.signalAll();
    }
  }

  private Attempt tryToWrite(Supplier<@Nullable KeptTable> table) {
    try {
      KeptTable now = table.get();
      if (now == null) {
        return Attempt.NO_TABLE;
      }
      beforeWriting.await();
      write(now);
      return Attempt.WRITTEN;
    } catch (IOException | RuntimeException e) { // if the thread ended, writers would wait for ever
      LOG.error("the partition table cannot be kept, it will be tried again: file={}", file, e);
      return Attempt.FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Attempt.FAILED;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Keeps what is left, if it is there; see {@link #keepLast}. */
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
    keepLast(); // nobody writes any more: tells who waits
  }
}
