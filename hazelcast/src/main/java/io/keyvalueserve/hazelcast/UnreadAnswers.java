package io.keyvalueserve.hazelcast;

import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.grid.UnreadLimit;
import io.keyvalueserve.maps.gather.TemporaryHeap;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the Java heap of answers and events that wait for Hazelcast clients to read them: for each
 * connection, each tenant and all of them together. A client that has stopped reading is cut off
 * beyond the bound of a connection. When a tenant or all are beyond theirs, the connection with
 * most bytes of the tenant with most is cut off, whether it reads or not. When a tenant uses too
 * much of the {@link MemberHeap}, for whatever, its own largest connection is. Thread-safe.
 *
 * <p>A connection counts its bytes by itself. The accounts of tenants hear of them in steps, and
 * not at all while a connection has few.
 */
final class UnreadAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadAnswers.class);

  /** A connection's bytes that no account hears of. */
  static final long FREE_BYTES = 16 << 10;

  /** Accounts hear of bytes in multiples of this. */
  static final long STEP_BYTES = 64 << 10;

  private final UnreadLimit limit;
  private final long stallNanos;
  private final LongSupplier nanoTime;
  private final TemporaryHeap heap;
  private final Set<OfConnection> connections = ConcurrentHashMap.newKeySet();
  private final LongAdder cutOff = new LongAdder();
  private final LogLimit lines = LogLimit.aMinute(1);

  UnreadAnswers(UnreadLimit limit, MemberHeap whole) {
    this(limit, whole, System::nanoTime);
  }

  UnreadAnswers(UnreadLimit limit, MemberHeap whole, LongSupplier nanoTime) {
    this.limit = limit;
    this.stallNanos = limit.stall().toNanos();
    this.nanoTime = nanoTime;
    this.heap = new TemporaryHeap(limit.allBytes(), anyone -> 1, whole, HeapUse.UNREAD);
  }

  /** Closes a connection. */
  interface Closer {
    /**
     * @param reason why, for the log
     */
    void close(String reason);
  }

  /**
   * Adds a connection.
   *
   * @param tenant gives the number of the tenant; less than 1 if none has authenticated
   */
  OfConnection enter(IntSupplier tenant, Closer closer) {
    OfConnection entered = new OfConnection(tenant, closer);
    connections.add(entered);
    return entered;
  }

  /** Returns about how many bytes wait for a tenant's clients. */
  long bytes(int tenant) {
    return heap.of(tenant).bytes();
  }

  /** Returns how many connections were closed because they were not read. */
  long cutOff() {
    return cutOff.sum();
  }

  /** Makes room in the accounts of tenants; returns false if a connection had to go for that. */
  private boolean makeRoom(OfConnection wanting) {
    while (true) {
      boolean ownOnly = wanting.isRefusedByWhole();
      OfConnection largest = wanting;
      for (OfConnection each : connections) {
        if ((!ownOnly || each.account == wanting.account) && each.hasMoreThan(largest)) {
          largest = each;
        }
      }
      largest.cutOff("the clients of its tenant");
      if (largest == wanting) {
        return false;
      }
      if (wanting.count()) {
        return true;
      }
    }
  }

  /** The bytes of one connection. */
  final class OfConnection {
    private final IntSupplier tenant;
    private final Closer closer;
    private final AtomicLong pending = new AtomicLong();

    /** Bytes that the tenant's account has heard of. Changed by who has the lock. */
    private volatile long counted;

    /** Null until it has authenticated and has more than a few bytes. */
    private volatile TemporaryHeap.@Nullable OfTenant account;

    /**
     * The time when the client began to have more than a few bytes waiting, or when it last read
     * some.
     */
    private volatile long progressNanos;

    private volatile boolean ended;

    private OfConnection(IntSupplier tenant, Closer closer) {
      this.tenant = tenant;
      this.closer = closer;
    }

    /**
     * Counts bytes that are about to wait. May close the connection, or another one.
     *
     * @return false if the connection is closed; nothing is counted then
     */
    boolean add(long bytes) {
      if (ended) {
        return false;
      }
      long now = pending.addAndGet(bytes);
      if (now <= FREE_BYTES) {
        return true;
      }
      if (now - bytes <= FREE_BYTES) {
        progressNanos = nanoTime.getAsLong();
      } else if (now - bytes > limit.connectionBytes()
          && nanoTime.getAsLong() - progressNanos >= stallNanos) {
        cutOff("it");
        return false;
      }
      return now <= counted + FREE_BYTES || count() || makeRoom(this);
    }

    /** The client has read something. */
    void progressed() {
      if (pending.get() > FREE_BYTES) {
        progressNanos = nanoTime.getAsLong();
      }
    }

    /** Takes off bytes that were written or dropped. */
    void remove(long bytes) {
      long now = pending.addAndGet(-bytes);
      long known = counted;
      if (known > 0 && (now <= 0 || now + 2 * STEP_BYTES < known)) {
        uncount();
      }
    }

    /** Tells the account of what it has not heard of; returns false if that has no room. */
    private synchronized boolean count() {
      long before = counted;
      long more = inSteps(pending.get()) - before;
      if (ended || more <= 0) {
        return true;
      }
      TemporaryHeap.OfTenant known = account;
      if (known == null) {
        int number = tenant.getAsInt();
        if (number < 1) {
          return true;
        }
        known = heap.of(number);
        account = known;
      }
      if (!known.take(more)) {
        return false;
      }
      counted = before + more;
      return true;
    }

    private void uncount() {
      giveBackBut(inSteps(pending.get()));
    }

    /** Gives back what is counted beyond some bytes. */
    private synchronized void giveBackBut(long rest) {
      TemporaryHeap.OfTenant known = account;
      long before = counted;
      if (known != null && before > rest) {
        known.give(before - rest);
        counted = rest;
      }
    }

    private static long inSteps(long bytes) {
      return bytes <= 0 ? 0 : (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
    }

    private boolean isRefusedByWhole() {
      TemporaryHeap.OfTenant known = account;
      return known != null && known.hasRoomHere(inSteps(pending.get()) - counted);
    }

    private long ofTenant() {
      TemporaryHeap.OfTenant known = account;
      return known == null ? 0 : known.bytes();
    }

    private boolean hasMoreThan(OfConnection other) {
      if (ended || counted == 0) {
        return false;
      }
      return account == other.account
          ? pending.get() > other.pending.get()
          : ofTenant() > other.ofTenant();
    }

    private void cutOff(String who) {
      long bytes = pending.get();
      if (!end()) {
        return;
      }
      cutOff.increment();
      long before = lines.take();
      if (before >= 0) {
        LOG.warn(
            "closed a Hazelcast client's connection: {} left too many answers and events unread:"
                + " tenant={} bytes={} limits={}, {} of all ({} more connections since the last"
                + " line)",
            who,
            tenant.getAsInt(),
            bytes,
            limit.connectionBytes(),
            limit.allBytes(),
            before);
      }
      closer.close("the client did not read its answers and events: bytes=" + bytes);
    }

    /** Returns whether the connection is closed, or about to be. */
    boolean hasEnded() {
      return ended;
    }

    /** Returns how many bytes wait. */
    long bytes() {
      return ended ? 0 : pending.get();
    }

    /**
     * Gives back all: the connection is closed.
     *
     * @return false if it was before
     */
    boolean end() {
      synchronized (this) {
        if (ended) {
          return false;
        }
        ended = true;
        giveBackBut(0);
      }
      connections.remove(this);
      return true;
    }
  }
}
