package io.keyvalueserve.tenancy.peer;

import io.keyvalueserve.tenancy.heap.HeapLease;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The budget that all connections without a key share, at all doors of a member: connections, bytes
 * buffered for them, time to authenticate, and requests a second.
 *
 * <p>A new connection is always let in. When there are too many, the oldest is closed: one that
 * means to authenticate does so at once, and is soon out of the budget. Likewise for bytes: the
 * oldest connections that hold any are closed until the rest fits.
 *
 * <p>Thread-safe. Its lock is shared by peers without a key only. It calls a connection's closing
 * action without the lock, on the thread that makes room.
 */
public final class PeerBudget {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final PeerLimits limits;
  private final LongSupplier nanoTime;
  private final LinkedHashSet<Peer> peers = new LinkedHashSet<>(); // the oldest first
  private final Map<InetAddress, LinkedHashSet<Peer>> byAddress = new HashMap<>();
  private long bytes;
  private @Nullable HeapLease lease;
  private long evictions;
  private long timeouts;

  /** When the next request may be served, if it is later than now; by {@link #nanoTime}. */
  private long nextRequestNanos;

  /**
   * Makes a budget.
   *
   * @param nanoTime a monotonic clock, in nanoseconds
   */
  public PeerBudget(PeerLimits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.nextRequestNanos = nanoTime.getAsLong();
  }

  /** Has what peers hold count to the heap that tenants and peers use together too. */
  public synchronized void countTo(HeapLease next) {
    HeapLease before = lease;
    if (before != null) {
      before.give(bytes);
    }
    next.force(bytes);
    lease = next;
  }

  private void count(long more) {
    bytes += more;
    HeapLease known = lease;
    if (known == null) {
      return;
    }
    if (more > 0) {
      known.force(more);
    } else {
      known.give(-more);
    }
  }

  /** The bounds. */
  public PeerLimits limits() {
    return limits;
  }

  /**
   * Lets a connection in. Closes the oldest one if there are too many.
   *
   * @param address where it comes from; null if unknown
   * @param closing closes the connection; called at most once, by any thread; it must not block
   */
  public Peer admit(@Nullable InetAddress address, Runnable closing) {
    Peer oldest = null;
    Peer oldestOfAddress = null;
    Peer peer;
    synchronized (this) {
      if (address != null) {
        LinkedHashSet<Peer> same = byAddress.get(address);
        if (same != null && same.size() >= limits.connectionsPerAddress()) {
          oldestOfAddress = same.getFirst();
          evict(oldestOfAddress);
        }
      }
      if (peers.size() >= limits.connections()) {
        oldest = peers.getFirst();
        evict(oldest);
      }
      peer =
          new Peer(
              this, address, closing, nanoTime.getAsLong() + limits.timeToAuthenticate().toNanos());
      peers.add(peer);
      if (address != null) {
        byAddress.computeIfAbsent(address, _ -> new LinkedHashSet<>()).add(peer);
      }
    }
    if (oldestOfAddress != null) {
      oldestOfAddress.closing.run();
    }
    if (oldest != null) {
      oldest.closing.run();
    }
    return peer;
  }

  boolean reserve(Peer peer, long count) {
    List<Peer> evicted = List.of();
    boolean fits;
    synchronized (this) {
      if (!peer.open) {
        return false;
      }
      peer.bytes += count;
      count(count);
      if (peer.bytes > limits.bytesPerPeer()) {
        evict(peer);
        evicted = List.of(peer);
      } else if (bytes > limits.bytes()) {
        evicted = makeRoom();
      }
      fits = peer.open;
    }
    evicted.forEach(each -> each.closing.run());
    return fits;
  }

  private List<Peer> makeRoom() {
    List<Peer> evicted = new ArrayList<>();
    long left = bytes;
    for (Peer each : peers) {
      if (each.bytes > 0) {
        evicted.add(each);
        left -= each.bytes;
      }
      if (left <= limits.bytes()) {
        break;
      }
    }
    evicted.forEach(this::evict);
    return evicted;
  }

  boolean holds(Peer peer, long count) {
    long more;
    synchronized (this) {
      if (!peer.open) {
        return false;
      }
      more = count - peer.bytes;
      if (more <= 0) {
        peer.bytes = count;
        count(more);
        return true;
      }
    }
    return reserve(peer, more);
  }

  synchronized void release(Peer peer, long count) {
    if (peer.open) {
      long given = Math.min(count, peer.bytes);
      peer.bytes -= given;
      count(-given);
    }
  }

  /** A leaky bucket that holds a tenth of a second's requests. */
  synchronized long request() {
    long now = nanoTime.getAsLong();
    long ahead = nextRequestNanos - now;
    if (ahead > SECOND / 10) {
      return ahead - SECOND / 10;
    }
    nextRequestNanos = Math.max(nextRequestNanos, now) + SECOND / limits.requestsPerSecond();
    return 0;
  }

  synchronized boolean leave(Peer peer) {
    if (!peer.open) {
      return false;
    }
    remove(peer);
    return true;
  }

  private void evict(Peer peer) {
    evictions++;
    remove(peer);
  }

  private void remove(Peer peer) {
    if (!peer.open) {
      return;
    }
    peer.open = false;
    count(-peer.bytes);
    peer.bytes = 0;
    peers.remove(peer);
    LinkedHashSet<Peer> same = peer.address == null ? null : byAddress.get(peer.address);
    if (same != null) {
      same.remove(peer);
      if (same.isEmpty()) {
        byAddress.remove(peer.address);
      }
    }
  }

  /**
   * Closes the connections whose time to authenticate is over. The owner of the budget calls it
   * about once a second.
   *
   * @return how many it closed
   */
  public int closeOverdue() {
    List<Peer> overdue = new ArrayList<>();
    synchronized (this) {
      long now = nanoTime.getAsLong();
      for (Peer peer : peers) {
        if (peer.deadlineNanos - now > 0) {
          break; // all later ones have more time
        }
        overdue.add(peer);
      }
      overdue.forEach(this::remove);
      timeouts += overdue.size();
    }
    overdue.forEach(peer -> peer.closing.run());
    return overdue.size();
  }

  /** Open connections that have not authenticated. */
  public synchronized int connections() {
    return peers.size();
  }

  /** Bytes buffered for them. */
  public synchronized long bytes() {
    return bytes;
  }

  /** Connections closed so far to make room for others, or for holding too much themselves. */
  public synchronized long evictions() {
    return evictions;
  }

  /** Connections closed so far for not authenticating in time. */
  public synchronized long timeouts() {
    return timeouts;
  }
}
