package io.keyvalueserve.gates.peer;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection that has not authenticated yet. Thread-safe; its methods wait for no other thread.
 *
 * <p>It ends in one of three ways: {@link #authenticated}, {@link #close}, or the budget closes it.
 * After that all its bytes are given back, and further calls change nothing.
 */
public final class Peer {
  private static final long ENDED = -1;

  final PeerBudget budget;
  final @Nullable InetAddress address;
  final Runnable closing;
  final long deadlineNanos;

  /** The bytes that it holds, or {@link #ENDED}. */
  private final AtomicLong held = new AtomicLong();

  /** Its places in the budget's lists. Changed by who has the budget's lock. */
  final PeerList.Place place = new PeerList.Place(this);

  final PeerList.Place placeOfHolder = new PeerList.Place(this);

  /** True if it is in the list of peers that hold bytes, or was a moment ago. */
  volatile boolean isHolder;

  Peer(PeerBudget budget, @Nullable InetAddress address, Runnable closing, long deadlineNanos) {
    this.budget = budget;
    this.address = address;
    this.closing = closing;
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * Adds to what it holds, or takes off it, down to 0.
   *
   * @return what it holds now; negative if it has ended
   */
  long add(long count) {
    long before;
    long now;
    do {
      before = held.get();
      if (before == ENDED) {
        return ENDED;
      }
      now = Math.max(0, before + count);
    } while (!held.compareAndSet(before, now));
    budget.count(now - before);
    return now;
  }

  /** Sets what it holds; returns false if it has ended. */
  boolean set(long count) {
    long before;
    do {
      before = held.get();
      if (before == ENDED) {
        return false;
      }
    } while (!held.compareAndSet(before, count));
    budget.count(count - before);
    return true;
  }

  /** Ends it; returns false if it had ended before. */
  boolean end() {
    long before = held.getAndSet(ENDED);
    if (before == ENDED) {
      return false;
    }
    budget.count(-before);
    return true;
  }

  boolean hasEnded() {
    return held.get() == ENDED;
  }

  boolean holdsBytes() {
    return held.get() > 0;
  }

  /**
   * Reserves bytes that a door is about to buffer for this connection, in or out. Closes the
   * connections that have held bytes for longest if all of them hold too many, and this one if it
   * holds too many itself.
   *
   * @param count bytes, not negative
   * @return false if this connection is closed: nothing may be buffered for it
   */
  public boolean reserve(long count) {
    return budget.reserve(this, count);
  }

  /** Gives reserved bytes back. */
  public void release(long count) {
    budget.release(this, count);
  }

  /**
   * Sets how many bytes are buffered for this connection now, as {@link #reserve} and {@link
   * #release} would.
   *
   * @return false if this connection is closed
   */
  public boolean holds(long count) {
    return budget.holds(this, count);
  }

  /**
   * Counts a request.
   *
   * @return 0 if it may be served now, else the nanoseconds after which to try again; the door does
   *     not read from the connection until then
   */
  public long request() {
    return budget.request();
  }

  /**
   * Takes this connection out of the budget: it has a tenant now.
   *
   * @return false if the budget has closed it before
   */
  public boolean authenticated() {
    return budget.leave(this);
  }

  /** Takes this connection out of the budget: it is closed, for whatever reason. */
  public void close() {
    budget.leave(this);
  }
}
