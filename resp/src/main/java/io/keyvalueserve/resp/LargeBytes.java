package io.keyvalueserve.resp;

import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of large arguments and large replies that the connections of a door hold together, and
 * their limit.
 *
 * <p>When there is no room, connections that need some wait, first come first served, and are not
 * read meanwhile. Small requests are neither counted nor held up. Connections that hold parts of
 * requests could wait for each other for ever. Therefore the first in the queue may go beyond the
 * limit to get its request complete, one at a time: complete requests need no more room to run, and
 * give theirs back. The bytes held stay below the limit plus one request and, for each connection,
 * what one read brings.
 *
 * <p>All bytes count to the {@link MemberHeap} too. Connections of a tenant that uses too much of
 * it wait as well, and those of other tenants go before them. They look again every few
 * milliseconds, as the tenant may give back what it uses for other things.
 *
 * <p>Thread-safe; what is a connection's own is in its {@link Hold}.
 */
final class LargeBytes {
  private final long most;
  private final MemberHeap whole;
  private final AtomicLong held = new AtomicLong();

  // Guarded by this.
  private final ArrayDeque<Hold> waiting = new ArrayDeque<>();
  private @Nullable Hold privileged;
  private boolean looksAgain;

  /** The number that wait; to be read without the lock. */
  private volatile int waitingCount;

  /**
   * Creates a bound under which nothing is held.
   *
   * @param most how many bytes may be
   * @param whole where the bytes count too
   */
  LargeBytes(long most, MemberHeap whole) {
    this.most = most;
    this.whole = whole;
  }

  /** Returns the bytes that are held now. */
  long held() {
    return held.get();
  }

  /** Returns the number of connections that wait for room. */
  int waiting() {
    return waitingCount;
  }

  /** Returns whether the limit is reached. */
  boolean isFull() {
    return held.get() >= most;
  }

  private boolean tryTake(HeapLease lease, long bytes) {
    if (!tryTakeHere(bytes)) {
      return false;
    }
    if (lease.take(bytes)) {
      return true;
    }
    held.addAndGet(-bytes);
    return false;
  }

  private boolean tryTakeHere(long bytes) {
    if (waitingCount > 0) {
      return false;
    }
    long now = held.get();
    while (now + bytes <= most) {
      if (held.compareAndSet(now, now + bytes)) {
        return true;
      }
      now = held.get();
    }
    return false;
  }

  private void give(HeapLease lease, long bytes) {
    held.addAndGet(-bytes);
    lease.give(bytes);
    if (waitingCount > 0) {
      grant();
    }
  }

  private synchronized void await(Hold hold, long bytes, boolean isUrgent) {
    hold.wanted = bytes;
    hold.isUrgent = isUrgent;
    waiting.add(hold);
    waitingCount = waiting.size();
    grant();
  }

  private synchronized void leave(Hold hold) {
    waiting.remove(hold);
    waitingCount = waiting.size();
    if (privileged == hold) {
      privileged = null;
    }
    grant();
  }

  private synchronized void endPrivilege(Hold hold) {
    if (privileged == hold) {
      privileged = null;
      grant();
    }
  }

  /** Lets those go on for whom there is room, in their order, and one for whom there is none. */
  private synchronized void grant() {
    List<Hold> granted = new ArrayList<>();
    boolean refusedByWhole = false;
    for (Iterator<Hold> each = waiting.iterator(); each.hasNext(); ) {
      Hold hold = each.next();
      if (held.get() + hold.wanted > most) {
        break;
      }
      if (hold.lease.take(hold.wanted)) {
        each.remove();
        held.addAndGet(hold.wanted);
        granted.add(hold);
      } else {
        refusedByWhole = true;
      }
    }
    waitingCount = waiting.size();
    granted.forEach(hold -> hold.owner.granted(hold.wanted, false));
    if (privileged == null) {
      for (Hold hold : waiting) {
        if (hold.isUrgent) {
          privileged = hold;
          grantBeyond(hold);
          break;
        }
      }
    }
    if (refusedByWhole && !looksAgain && !waiting.isEmpty()) {
      looksAgain = waiting.getFirst().owner.later(this::lookAgain);
    }
  }

  private synchronized void lookAgain() {
    looksAgain = false;
    grant();
  }

  private void grantBeyond(Hold hold) {
    waiting.remove(hold);
    waitingCount = waiting.size();
    held.addAndGet(hold.wanted);
    hold.lease.force(hold.wanted);
    hold.owner.granted(hold.wanted, true);
  }

  /**
   * The owner of a connection's hold, which is told, on any thread, that it has the room it waits
   * for.
   */
  interface Owner {
    /**
     * Called when it has the room.
     *
     * @param bytes how much
     * @param beyond whether that is beyond the limit: then it is the only one, and others wait for
     *     it
     */
    void granted(long bytes, boolean beyond);

    /** Returns the number of the tenant whose connection it is; less than 1 if none is known. */
    int tenant();

    /**
     * Runs something in some milliseconds, on another thread's stack.
     *
     * @return false if it will not
     */
    boolean later(Runnable task);
  }

  /** The bytes that one connection holds. On its event loop only. */
  final class Hold {
    private final Owner owner;

    /** The lease of the tenant that it had when it took its first bytes. */
    private HeapLease lease = whole.lease(MemberHeap.STRANGERS, HeapUse.VALUES);

    private long own;

    /** The bytes that were granted and are not used yet. */
    private long credit;

    /** The bytes that it waits for; guarded by the lock of all. */
    private long wanted;

    /** True if a part of its request has come. Guarded by the lock of all. */
    private boolean isUrgent;

    private boolean waits;
    private boolean mayGoBeyond;

    /** The bytes still to be given back before the privilege ends, once its request is complete. */
    private long privilegedBytes;

    Hold(Owner owner) {
      this.owner = owner;
    }

    /** Takes room for so many bytes, if there is. */
    boolean take(long bytes) {
      if (credit >= bytes) {
        credit -= bytes;
        return true;
      }
      choose();
      if (mayGoBeyond) {
        held.addAndGet(bytes);
        lease.force(bytes);
      } else if (!tryTake(lease, bytes)) {
        return false;
      }
      own += bytes;
      return true;
    }

    /** Takes room that there may not be. */
    void force(long bytes) {
      choose();
      held.addAndGet(bytes);
      lease.force(bytes);
      own += bytes;
    }

    /** Turns to the lease of the tenant of now, if nothing counts to another one. */
    private void choose() {
      if (own == 0 && !waits) {
        int tenant = owner.tenant();
        lease = whole.lease(tenant < 1 ? MemberHeap.STRANGERS : tenant, HeapUse.VALUES);
      }
    }

    /** Returns whether its tenant may take no more now. */
    boolean isExhausted() {
      return lease.free() == 0;
    }

    /**
     * Waits for room: {@link Owner#granted} says when, and {@link #accept} is due then.
     *
     * @param hasBegun whether it is for a request of which a part is here already
     */
    void await(long bytes, boolean hasBegun) {
      choose();
      waits = true;
      LargeBytes.this.await(this, bytes, hasBegun);
    }

    boolean isWaiting() {
      return waits;
    }

    /** Takes over what was granted. */
    void accept(long bytes, boolean beyond) {
      waits = false;
      own += bytes;
      credit += bytes;
      mayGoBeyond = beyond;
    }

    /** Returns whether others wait until its request is complete and done. */
    boolean isBeyond() {
      return mayGoBeyond;
    }

    /** The request that bytes were taken for is complete: what it did not use goes back. */
    void completed() {
      long unused = credit;
      credit = 0;
      if (mayGoBeyond) {
        mayGoBeyond = false;
        privilegedBytes = own - unused;
        if (privilegedBytes == 0) {
          endPrivilege(this);
        }
      }
      if (unused > 0) {
        own -= unused;
        LargeBytes.this.give(lease, unused);
      }
    }

    /** Gives room back, unless all has been given back. */
    void give(long upTo) {
      long bytes = Math.min(upTo, own);
      own -= bytes;
      LargeBytes.this.give(lease, bytes);
      if (privilegedBytes > 0) {
        privilegedBytes -= bytes;
        if (privilegedBytes <= 0) {
          endPrivilege(this);
        }
      }
    }

    /** Gives all back, for a connection that is gone. */
    void giveAll() {
      long all = own;
      own = 0;
      credit = 0;
      waits = false;
      mayGoBeyond = false;
      privilegedBytes = 0;
      held.addAndGet(-all);
      lease.give(all);
      leave(this);
    }
  }
}
