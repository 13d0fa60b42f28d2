package io.keyvalueserve.maps;

import io.keyvalueserve.journal.spill.SpillArea;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TransferQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a member that read values from the disk for operations that wait for them. Tenants
 * are served in turns, a value at a time, so that one who asks for many holds nobody else up for
 * longer than each reader takes for one value.
 *
 * <p>Thread-safe, without a lock that tenants share.
 */
@SuppressWarnings("ReferenceEquality") // turns are what they are
final class ValueReaders {
  private static final Logger LOG = LoggerFactory.getLogger(ValueReaders.class);
  private static final int READERS = 8;
  private static final int MOST_VALUES = 1 << 14;
  private static final long MOST_BYTES = 256L << 20;
  private static final long MOST_CLOSING_NANOS = 10_000_000_000L;
  private static final long NANOS_A_MILLI = 1_000_000;

  /** Ends a reader. */
  private static final Turn END = new Turn();

  private final SpillArea area;
  private final Map<Object, Turn> tenants = new ConcurrentHashMap<>();
  private final TransferQueue<Turn> turns = new LinkedTransferQueue<>();
  private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
  private final LongAdder byReaders = new LongAdder();
  private final LongAdder atAStretch = new LongAdder();
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile List<Thread> threads = List.of();
  private volatile boolean closed;

  /** Somebody who waits for values. */
  interface Waiting {
    /** All reads were carried out. Called once, by a reader. */
    void read();

    /** The member goes down. By any thread, more than once perhaps. */
    void end();
  }

  /** The tasks of one tenant. It is among the turns, once, while there are any. */
  private static final class Turn {
    final Queue<Task> tasks = new ConcurrentLinkedQueue<>();
    final AtomicInteger open = new AtomicInteger();
    final AtomicLong values = new AtomicLong();
    final AtomicLong bytes = new AtomicLong();

    void count(int moreValues, long moreBytes) {
      values.addAndGet(moreValues);
      bytes.addAndGet(moreBytes);
    }

    boolean isFull() {
      return values.get() >= MOST_VALUES || bytes.get() >= MOST_BYTES;
    }
  }

  private record Task(ColdRead read, Claim claim) {}

  /** Values that somebody waits for, or has got. */
  final class Claim {
    private final Object tenant;
    private final Turn turn;
    private final List<ColdRead> reads;
    private final Waiting waiting;
    private final AtomicInteger left;

    private Claim(Object tenant, Turn turn, List<ColdRead> reads, Waiting waiting) {
      this.tenant = tenant;
      this.turn = turn;
      this.reads = reads;
      this.waiting = waiting;
      this.left = new AtomicInteger(reads.size());
    }

    List<ColdRead> reads() {
      return reads;
    }

    /** The values are kept no longer. */
    void end() {
      turn.count(-reads.size(), -bytes(reads));
      if (turn.values.get() == 0) { // who has it still finishes with it
        boolean _ = tenants.remove(tenant, turn);
      }
    }
  }

  /** Readers of an area; they begin with the first read. */
  ValueReaders(SpillArea area) {
    this.area = area;
  }

  SpillArea area() {
    return area;
  }

  /**
   * Returns whether values are read here. If not, each operation reads the values that it needs
   * itself.
   */
  boolean isOpen() {
    return !closed;
  }

  /** Notes somebody who waits, to be told when the member goes down, until {@link #leave}. */
  void join(Waiting one) {
    boolean _ = waiting.add(one);
    if (closed) {
      one.end();
    }
  }

  /** Removes a waiter that {@link #join} added. */
  void leave(Waiting one) {
    boolean _ = waiting.remove(one);
  }

  /**
   * Has values read.
   *
   * @param tenant whose they are
   * @param reads at least one, in the order in which they are best read
   * @return to be ended when they are no longer kept; null if too many of the tenant's wait already
   */
  @Nullable Claim read(Object tenant, List<ColdRead> reads, Waiting waiting) {
    Turn turn = tenants.computeIfAbsent(tenant, each -> new Turn());
    if (turn.isFull()) {
      return null;
    }
    if (!started.get() && started.compareAndSet(false, true)) {
      start();
    }
    turn.count(reads.size(), bytes(reads));
    Claim claim = new Claim(tenant, turn, reads, waiting);
    for (ColdRead read : reads) {
      turn.tasks.add(new Task(read, claim));
      if (turn.open.getAndIncrement() == 0) {
        turns.add(turn);
      }
    }
    return claim;
  }

  private void start() {
    threads =
        IntStream.range(0, READERS)
            .mapToObj(
                number ->
                    Thread.ofPlatform()
                        .daemon()
                        .name("kvs-value-reader-" + number)
                        .start(this::readAll))
            .toList();
  }

  private void readAll() {
    try {
      while (!closed) {
        Turn turn = turns.take();
        if (turn == END) {
          return;
        }
        Task task = turn.tasks.poll();
        if (turn.open.decrementAndGet() > 0) {
          turns.add(turn); // at the end; another reader may have it next
        }
        if (task != null) {
          carryOut(task);
        }
      }
    } catch (InterruptedException e) { // nobody does: an interrupt would close the file
      Thread.currentThread().interrupt();
    }
  }

  private void carryOut(Task task) {
    try {
      task.read().carryOut(area);
      byReaders.increment();
    } catch (RuntimeException | Error e) { // whoever needs it reads it himself, and meets the same
      LOG.warn("a value that was spilled was not read ahead", e);
    } finally {
      Claim claim = task.claim();
      if (claim.left.decrementAndGet() == 0) {
        tell(claim.waiting);
      }
    }
  }

  /** A reader goes on whatever becomes of one operation. */
  private static void tell(Waiting waiting) {
    try {
      waiting.read();
    } catch (RuntimeException e) {
      LOG.error("who waits for values could not be told that they were read", e);
    }
  }

  private static long bytes(List<ColdRead> reads) {
    long bytes = 0;
    for (ColdRead read : reads) {
      bytes += read.length();
    }
    return bytes;
  }

  /** A writer has read a value itself, and held its partition meanwhile. */
  void readAtAStretch() {
    atAStretch.increment();
  }

  /**
   * Returns the number of values that writers have read themselves while they held their
   * partitions.
   */
  long readsAtAStretch() {
    return atAStretch.sum();
  }

  /** Returns the number of values that the readers have read. */
  long readsByReaders() {
    return byReaders.sum();
  }

  /** Ends all who wait; nothing is read from now on but what is being read. Idempotent. */
  synchronized void end() {
    if (!closed) {
      closed = true;
      turns.addAll(Collections.nCopies(READERS, END));
    }
    waiting.forEach(Waiting::end);
  }

  /** Ends all, and waits until nothing is being read. Returns whether that is so. */
  boolean awaitEnd() {
    end();
    try {
      long deadline = System.nanoTime() + MOST_CLOSING_NANOS;
      for (Thread thread : threads) {
        long left = Math.max(1, (deadline - System.nanoTime()) / NANOS_A_MILLI);
        thread.join(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return threads.stream().noneMatch(Thread::isAlive);
  }
}
