package io.keyvalueserve.tenancy.peer;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection that has not authenticated yet. Thread-safe.
 *
 * <p>It ends in one of three ways: {@link #authenticated}, {@link #close}, or the budget closes it.
 * After that all its bytes are given back, and further calls change nothing.
 */
public final class Peer {
  final PeerBudget budget;
  final @Nullable InetAddress address;
  final Runnable closing;
  final long deadlineNanos;

  // Guarded by the budget.
  long bytes;
  boolean open = true;

  Peer(PeerBudget budget, @Nullable InetAddress address, Runnable closing, long deadlineNanos) {
    this.budget = budget;
    this.address = address;
    this.closing = closing;
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * Reserves bytes that a door is about to buffer for this connection, in or out. Closes the oldest
   * connections that hold bytes if all of them hold too many, and this one if it holds too many
   * itself.
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
