package io.keyvalueserve.gates.peer;

import io.keyvalueserve.gates.heap.HeapLease;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The budget that all connections without a key share, at all doors of a member: connections, bytes
 * buffered for them, time to authenticate, and requests a second.
 *
 * <p>A new connection is always let in. When there are too many, the oldest is closed: one that
 * means to authenticate does so at once, and is soon out of the budget. Likewise for bytes: of
 * those that hold any, the first that did are closed until the rest fits.
 *
 * <p>While connections are closed to make room, the doors accept slowly: peers that come back at
 * once as often as they are closed would else take all of the member's time.
 *
 * <p>Thread-safe. No door waits for another: figures are atomic, and the lists of who is the oldest
 * are brought up to date by whichever thread finds their lock free. The others leave word of what
 * they changed and go on. A tenant's requests share an event loop with peers without a key, and
 * would wait with it. For a moment there may be a few connections too many. A connection's closing
 * action is called without the lock, on the thread that made room.
 */
public final class PeerBudget {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** The time by which accepts may run ahead of their pace: 10 at once at the usual pace. */
  private static final long ACCEPT_AHEAD = TimeUnit.MILLISECONDS.toNanos(20);

  /** The changes that are applied in one go. An event loop has other things to do. */
  private static final int MOST_CHANGES = 64;

  private final PeerLimits limits;
  private final LongSupplier nanoTime;
  private final FailedKeys failedKeys;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong evictions = new AtomicLong();
  private final AtomicLong timeouts = new AtomicLong();
  private volatile @Nullable HeapLease lease;

  private final Pace requests;
  private final Pace accepts;

  /** The time when a connection was last closed to make room, if {@link #crowded}. */
  private volatile long crowdedNanos;

  private volatile boolean crowded;

  /** Peers that came, ended, or began to hold bytes, and may not be where they belong. */
  private final ConcurrentLinkedQueue<Peer> changed = new ConcurrentLinkedQueue<>();

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final PeerList all = new PeerList();
  private final PeerList holders = new PeerList();
  private final Map<InetAddress, LinkedHashSet<Peer>> byAddress = new HashMap<>();

  /**
   * Makes a budget.
   *
   * @param nanoTime a monotonic clock, in nanoseconds
   */
  public PeerBudget(PeerLimits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.failedKeys = new FailedKeys(nanoTime);
    this.requests = new Pace(limits.requestsPerSecond(), SECOND / 10, nanoTime);
    this.accepts = new Pace(limits.acceptsPerSecond(), ACCEPT_AHEAD, nanoTime);
  }

  /**
   * Has what peers hold count to the heap that tenants and peers use together, too. Before any peer
   * is admitted.
   */
  public void countTo(HeapLease next) {
    lease = next;
  }

  /** The addresses that show keys which are none. */
  public FailedKeys failedKeys() {
    return failedKeys;
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
    Peer peer =
        new Peer(
            this, address, closing, nanoTime.getAsLong() + limits.timeToAuthenticate().toNanos());
    connections.incrementAndGet();
    update(peer);
    return peer;
  }

  boolean reserve(Peer peer, long count) {
    return isWithinBounds(peer, peer.add(count));
  }

  boolean holds(Peer peer, long count) {
    return peer.set(count) && isWithinBounds(peer, count);
  }

  private boolean isWithinBounds(Peer peer, long held) {
    if (held > limits.bytesPerPeer()) {
      if (end(peer)) {
        evictions.incrementAndGet();
        update(peer);
        peer.closing.run();
      }
    } else if (held > 0 && (!peer.isHolder || bytes.get() > limits.bytes())) {
      update(peer);
    }
    return !peer.hasEnded();
  }

  void release(Peer peer, long count) {
    long _ = peer.add(-count);
  }

  /** Counts bytes that a peer holds, or no longer holds. */
  void count(long held) {
    bytes.addAndGet(held);
    HeapLease known = lease;
    if (known == null) {
      return;
    }
    if (held > 0) {
      known.force(held);
    } else {
      known.give(-held);
    }
  }

  /** Takes one of the requests that may be served now. */
  long request() {
    return requests.take();
  }

  /**
   * Tells a door whether it may accept a connection. It may, unless connections were closed in the
   * last second to make room for others: then all doors together accept at a bounded pace. A door
   * asks before each connection, and leaves the others in the system's queue meanwhile: they cost
   * no time there.
   *
   * @return 0 if it may accept one now, else the nanoseconds after which to ask again
   */
  public long acceptPauseNanos() {
    return isCrowded() ? accepts.take() : 0;
  }

  /** Returns whether connections were closed in the last second to make room for others. */
  private boolean isCrowded() {
    if (!crowded) {
      return false;
    }
    if (nanoTime.getAsLong() - crowdedNanos < SECOND) {
      return true;
    }
    crowded = false; // who evicts at this moment sets it again with its next eviction
    return false;
  }

  boolean leave(Peer peer) {
    if (!end(peer)) {
      return false;
    }
    update(peer);
    return true;
  }

  private boolean end(Peer peer) {
    if (!peer.end()) {
      return false;
    }
    connections.decrementAndGet();
    return true;
  }

  // ---- the lists

  /** Leaves word of a change, and brings the lists up to date unless another thread does. */
  private void update(Peer peer) {
    changed.add(peer);
    update();
  }

  private void update() {
    // Who has the lock looks again when it has let go: nobody's word stays for long.
    for (int left = MOST_CHANGES; left > 0 && !changed.isEmpty() && lock.tryLock(); ) {
      left -= placeAndUnlock(left);
    }
  }

  /** Brings the lists up to date however much has changed. Not for an event loop. */
  private void updateAll() {
    while (!changed.isEmpty()) {
      lock.lock();
      int _ = placeAndUnlock(MOST_CHANGES);
    }
  }

  /**
   * Places peers that changed, makes room, lets the lock go, and closes whom the room was taken
   * from.
   *
   * @param most how many peers to place
   * @return how many were placed
   */
  private int placeAndUnlock(int most) {
    List<Peer> evicted = new ArrayList<>(0);
    int placed = 0;
    try {
      for (Peer next; placed < most && (next = changed.poll()) != null; placed++) {
        place(next, evicted);
      }
      makeRoom(evicted);
    } finally {
      lock.unlock();
    }
    if (!evicted.isEmpty()) {
      crowdedNanos = nanoTime.getAsLong();
      crowded = true;
      evicted.forEach(each -> each.closing.run());
    }
    return placed;
  }

  /** Puts a peer where it belongs. */
  private void place(Peer peer, List<Peer> evicted) {
    if (peer.hasEnded()) {
      remove(peer);
      return;
    }
    if (!peer.place.isTaken()) {
      all.add(peer.place);
      enterAddress(peer, evicted);
    }
    if (peer.holdsBytes() && !peer.placeOfHolder.isTaken()) {
      peer.isHolder = true;
      holders.add(peer.placeOfHolder);
    }
  }

  private void makeRoom(List<Peer> evicted) {
    for (Peer oldest;
        connections.get() > limits.connections() && (oldest = all.first()) != null; ) {
      evict(oldest, evicted);
    }
    for (Peer oldest; bytes.get() > limits.bytes() && (oldest = holders.first()) != null; ) {
      if (oldest.holdsBytes()) {
        evict(oldest, evicted);
      } else {
        forgetHolder(oldest);
      }
    }
  }

  /** Takes a peer off that holds nothing. One that holds bytes again by now comes back. */
  private void forgetHolder(Peer peer) {
    holders.remove(peer.placeOfHolder);
    peer.isHolder = false;
    if (peer.holdsBytes()) {
      changed.add(peer);
    }
  }

  private void evict(Peer peer, List<Peer> evicted) {
    if (end(peer)) {
      evictions.incrementAndGet();
      evicted.add(peer);
    }
    remove(peer);
  }

  private void remove(Peer peer) {
    if (peer.place.isTaken()) {
      leaveAddress(peer);
    }
    all.remove(peer.place);
    holders.remove(peer.placeOfHolder);
  }

  /** Returns whether the limit for one address is below the limit for all connections. */
  private boolean isAddressBounded() {
    return limits.connectionsPerAddress() < limits.connections();
  }

  private void enterAddress(Peer peer, List<Peer> evicted) {
    if (peer.address == null || !isAddressBounded()) {
      return;
    }
    LinkedHashSet<Peer> same = byAddress.computeIfAbsent(peer.address, _ -> new LinkedHashSet<>());
    if (same.size() >= limits.connectionsPerAddress()) {
      evict(same.getFirst(), evicted);
      byAddress.put(peer.address, same); // it may have been the last
    }
    same.add(peer);
  }

  private void leaveAddress(Peer peer) {
    LinkedHashSet<Peer> same = peer.address == null ? null : byAddress.get(peer.address);
    if (same != null && same.remove(peer) && same.isEmpty()) {
      byAddress.remove(peer.address);
    }
  }

  /**
   * Closes the connections whose time to authenticate is over. The owner of the budget calls it
   * about once a second. Brings the lists up to date, too: the other threads leave that to each
   * other, and may leave some of it. Waits for the lock, which nobody has for long.
   *
   * @return how many it closed
   */
  public int closeOverdue() {
    updateAll();
    List<Peer> overdue = new ArrayList<>();
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      for (Peer oldest; (oldest = all.first()) != null && oldest.deadlineNanos - now <= 0; ) {
        if (end(oldest)) {
          overdue.add(oldest);
        }
        remove(oldest);
      }
    } finally {
      lock.unlock();
    }
    timeouts.addAndGet(overdue.size());
    overdue.forEach(peer -> peer.closing.run());
    updateAll();
    return overdue.size();
  }

  /** Open connections that have not authenticated. */
  public int connections() {
    return connections.get();
  }

  /** Bytes buffered for them. */
  public long bytes() {
    return bytes.get();
  }

  /** Connections closed so far to make room for others, or for holding too much themselves. */
  public long evictions() {
    return evictions.get();
  }

  /** Connections closed so far for not authenticating in time. */
  public long timeouts() {
    return timeouts.get();
  }
}
