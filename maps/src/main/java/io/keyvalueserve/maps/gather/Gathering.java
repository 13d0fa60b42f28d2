package io.keyvalueserve.maps.gather;

import com.hazelcast.map.QueryResultSizeExceededException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the Java heap that the result of one request takes on one member, from the first row until
 * the last holder has released it.
 *
 * <pre>
 *   taken from the tenant's heap = room   for what is gathered here: used fits into it
 *                                + lent   for what other members were told they may send
 * </pre>
 *
 * <p>Holders are the thread that carries the request out, the request until it is answered, and
 * each operation of it on this member. Thread-safe: many partition threads may gather for one
 * request. They take room in steps and meet at the lock only then.
 */
public final class Gathering {
  private static final ThreadLocal<@Nullable Gathering> CURRENT = new ThreadLocal<>();
  private static final long STEP_BYTES = 64 << 10;

  /** A part of a result at another member may have so many bytes at least. */
  private static final long LEAST_PART_BYTES = 16 << 10;

  /** All parts together are first lent so much of what is free: most results are short. */
  private static final int FIRST_PART = 8;

  private static final int GROWTH = 4;

  /**
   * The number of times that a part may wait for another part to arrive, which has the room
   * meanwhile.
   */
  private static final int MOST_WAITS = 16;

  /** A part that arrives is there as a packet and as rows for a moment. */
  private static final int COPIES_OF_ARRIVING = 2;

  private final TenantHeap heap;
  private final int tenant;
  private final int members;
  private final int copies;
  private final long most;
  private final AtomicLong used = new AtomicLong();

  /** Written under the lock. */
  private volatile long room;

  private long lent;
  private long share = -1;
  private int waits;
  private int holders = 1;

  private Gathering(TenantHeap heap, int tenant, int members, int copies, long most) {
    this.heap = heap;
    this.tenant = tenant;
    this.members = members;
    this.copies = copies;
    this.most = most;
  }

  /**
   * Counts the result of a client's request at the member that answers it.
   *
   * @param tenant the number of the tenant that asks
   * @param members how many members gather parts of the result
   */
  public static Gathering ofRequest(TenantHeap heap, int tenant, int members) {
    return new Gathering(heap, tenant, members, 1, Long.MAX_VALUE);
  }

  /**
   * Counts a part of a result that another member asked for.
   *
   * @param copies how often the part is on the heap while it is sent
   * @param most how many bytes the other member has room for
   */
  public static Gathering ofPart(TenantHeap heap, int tenant, int copies, long most) {
    return new Gathering(heap, tenant, 1, copies, most);
  }

  /** Returns the gathering of the request that this thread carries out; null if there is none. */
  public static @Nullable Gathering current() {
    return CURRENT.get();
  }

  /** Carries a request out. What other members were told they may send is free afterwards. */
  public void carryOut(Runnable request) {
    CURRENT.set(this);
    try {
      request.run();
    } finally {
      CURRENT.remove();
      settle();
    }
  }

  /** Returns the number of the tenant that asks. */
  public int tenant() {
    return tenant;
  }

  /** Returns the bytes that are gathered now. */
  public long used() {
    return used.get();
  }

  /**
   * Takes bytes for what is kept next.
   *
   * @throws QueryResultSizeExceededException if the tenant would have too many; nothing is taken
   */
  public void take(long bytes) {
    if (!tryTake(bytes)) {
      throw new QueryResultSizeExceededException(refusal(bytes));
    }
  }

  /** Takes bytes and returns true, or takes nothing if the tenant would have too many. */
  public boolean tryTake(long bytes) {
    long counted = bytes * copies;
    if (used.addAndGet(counted) <= room || extend()) {
      return true;
    }
    long _ = used.addAndGet(-counted);
    return false;
  }

  private synchronized boolean extend() {
    long now = used.get();
    long missing = now - room;
    if (missing <= 0) {
      return true;
    }
    long limit = most == Long.MAX_VALUE ? most : most * copies;
    if (holders == 0 || now > limit) {
      return false;
    }
    long step = Math.max(missing, Math.min(STEP_BYTES, limit - room));
    if (!heap.take(step)) {
      step = missing;
      if (!heap.take(step)) {
        return false;
      }
    }
    room += step;
    return true;
  }

  /** Gives back bytes of what is no longer kept. The room for them stays. */
  public void give(long bytes) {
    long _ = used.addAndGet(-bytes * copies);
  }

  /** Returns why bytes cannot be taken, in words for the tenant. */
  private String refusal(long bytes) {
    return "the result of a request is too large for the Java heap that the tenant may take at a"
        + " member: gathered="
        + used.get() / copies
        + " more="
        + bytes
        + " free="
        + Math.min(heap.free() / copies, most)
        + "; nothing was returned: ask for less with a predicate, a projection, keySet or pages,"
        + " or retry when fewer requests wait";
  }

  /**
   * Takes room for a part of the result that another member sends.
   *
   * @return how many bytes that part may have; 0 if there is no room
   */
  public synchronized long lend() {
    if (holders == 0) {
      return 0;
    }
    if (share < 0) {
      share = heap.free() / FIRST_PART / members / COPIES_OF_ARRIVING;
    }
    return lend(Math.max(share, LEAST_PART_BYTES));
  }

  /**
   * Takes more room for a part that did not fit into what was lent for it. While other parts have
   * the room, it is lent what it had, to be asked for again when they have arrived.
   *
   * @return how many bytes that part may have; 0 if there is no room for much more than it had
   */
  public synchronized long lendMore(long part) {
    returnLent(part);
    if (holders == 0) {
      return 0;
    }
    long larger = Math.min(part * GROWTH, heap.free() / COPIES_OF_ARRIVING);
    if (larger >= part + part / 2) {
      return lend(larger);
    }
    return lent > 0 && waits++ < MOST_WAITS ? lend(part) : 0;
  }

  private long lend(long part) {
    if (!heap.take(part * COPIES_OF_ARRIVING)) {
      return 0;
    }
    lent += part * COPIES_OF_ARRIVING;
    return part;
  }

  /** Gives back room that was lent for a part which is gathered here. */
  public synchronized void returnLent(long part) {
    long bytes = Math.min(lent, part * COPIES_OF_ARRIVING);
    lent -= bytes;
    heap.give(bytes);
  }

  /** Returns how many bytes a part may have for which no room is lent: it may fail on arrival. */
  public long unlentPart() {
    return heap.free() / COPIES_OF_ARRIVING;
  }

  /**
   * Counts a part of the result that has arrived from another member.
   *
   * @throws QueryResultSizeExceededException if it was not lent room and the tenant has too many
   */
  public void arrived(long bytes) {
    long unlent;
    synchronized (this) {
      long moved = Math.min(lent, bytes);
      lent -= moved;
      room += moved;
      long _ = used.addAndGet(moved);
      unlent = bytes - moved;
    }
    if (unlent > 0) {
      take(unlent);
    }
  }

  /**
   * Counts a part of the result that has arrived from another member, and gives back what else was
   * lent for it.
   *
   * @throws QueryResultSizeExceededException if more has arrived, and the tenant has too many
   */
  public void arrived(long bytes, long part) {
    arrived(bytes);
    synchronized (this) {
      long spare = Math.clamp(part * COPIES_OF_ARRIVING - bytes, 0, lent);
      lent -= spare;
      heap.give(spare);
    }
  }

  /** Returns why no other member can be asked for a part of the result. */
  public QueryResultSizeExceededException refusal() {
    return new QueryResultSizeExceededException(refusal(LEAST_PART_BYTES));
  }

  private synchronized void settle() {
    long spare = Math.max(0, room - used.get());
    room -= spare;
    heap.give(lent + spare);
    lent = 0;
  }

  /** Adds a holder and returns true, or returns false if the last one has released this. */
  public synchronized boolean retain() {
    if (holders == 0) {
      return false;
    }
    holders++;
    return true;
  }

  /** Takes a holder off. The last one gives back all that is taken. */
  public synchronized void release() {
    if (--holders == 0) {
      heap.give(room + lent);
      room = 0;
      lent = 0;
    }
  }
}
