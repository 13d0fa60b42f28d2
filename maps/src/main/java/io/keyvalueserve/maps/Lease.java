package io.keyvalueserve.maps;

import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether this member may serve at this moment. All that the path of a request asks.
 *
 * <p>A lease ends by the monotonic clock, so that a process that was stopped finds it ended when it
 * goes on. {@link #holds} costs one reading of the clock, and none where no majority is needed.
 *
 * <p>Thread-safe.
 */
public final class Lease {
  private static final long FOREVER = Long.MAX_VALUE;

  /** A member that was lost and is still in the list after that has come back. */
  private static final long BACK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The list has been looked at as often meanwhile: the time alone may be a pause. */
  private static final int LOOKS = 20;

  private final ConcurrentLinkedQueue<Fenced> fenced = new ConcurrentLinkedQueue<>();
  private final LongSupplier clock;
  private volatile long until;
  private volatile boolean refuses;
  private volatile boolean confirmed;
  private volatile boolean held;
  private volatile boolean ended;
  private volatile Runnable whenRegained = () -> {};
  private long view;
  private Predicate<UUID> isMember = member -> true;

  /** A partition that has a new owner while the old one may still serve it. */
  public interface Fence {
    /** Called once when the old owner's lease has ended. By any thread; does not block. */
    void lift();
  }

  /** A fence with the owner before, and since which view that one is lost, once that is known. */
  private static final class Fenced {
    private static final long UNKNOWN = -1;

    private final Fence fence;
    private final @Nullable UUID former;
    private final long sinceNanos;
    private int looks;
    private long view = UNKNOWN;

    Fenced(Fence fence, @Nullable UUID former, long sinceNanos) {
      this.fence = fence;
      this.former = former;
      this.sinceNanos = sinceNanos;
    }

    /**
     * Returns whether the former owner has come back with the same id since it was lost. Then
     * nobody will report in which view it was lost.
     */
    boolean isBack(long nowNanos) {
      looks++;
      return looks > LOOKS && nowNanos - sinceNanos > BACK_NANOS;
    }
  }

  private Lease(LongSupplier clock, long until) {
    this.clock = clock;
    this.until = until;
  }

  /** Returns a lease without an end. */
  public static Lease forever() {
    return new Lease(System::nanoTime, FOREVER);
  }

  /** Returns a lease that has ended, until it is extended. */
  public static Lease none() {
    return none(System::nanoTime);
  }

  /** Returns a lease that has ended, by a clock of its own. */
  public static Lease none(LongSupplier clock) {
    return new Lease(clock, clock.getAsLong());
  }

  /** Returns whether the lease never ends, so that it need not be checked. */
  public boolean isForever() {
    return until == FOREVER;
  }

  /** Returns whether this member may serve now. */
  public boolean holds() {
    long end = until;
    return end == FOREVER || end - clock.getAsLong() > 0;
  }

  /**
   * Returns whether requests are to be refused at once, because the lease ended a while ago. Doors
   * ask this, so that clients do not wait for an answer that will not come soon.
   */
  public boolean refuses() {
    return refuses;
  }

  /**
   * Returns whether this member may serve now, and a majority has confirmed it since its list of
   * members last changed. A member that others have removed may still have a lease, and a list of
   * its own.
   */
  public boolean isConfirmed() {
    return isForever() || (confirmed && holds());
  }

  /**
   * Remembers a partition that this member has taken over from a lost one. It must not be served
   * before the fence is lifted.
   *
   * @param former the owner before; null if it is not known
   */
  public synchronized void fence(Fence fence, @Nullable UUID former) {
    Fenced added = new Fenced(fence, former, clock.getAsLong());
    if (former == null || !isMember.test(former)) {
      added.view = view; // the member may be back before anybody looks again
    }
    fenced.add(added);
  }

  /** Returns whether this member could serve once and may not serve now. */
  public boolean isLost() {
    return held && !holds();
  }

  /**
   * Has somebody told each time when the lease holds again after it did not.
   *
   * @param task does not block; by any thread
   */
  public void whenRegained(Runnable task) {
    whenRegained = task;
  }

  public boolean hasFences() {
    return !fenced.isEmpty();
  }

  /** Ends the lease for good: the member is to start again, and serves nobody until then. */
  public void end() {
    ended = true;
    until = clock.getAsLong();
    refuses = true;
  }

  /** Changes the end; {@link Long#MAX_VALUE} for none. Does nothing after {@link #end}. */
  public void setUntil(long nanos) {
    boolean before = holds();
    until = nanos;
    if (ended) {
      until = clock.getAsLong();
      return;
    }
    if (!before && holds()) {
      held = true;
      whenRegained.run();
    }
  }

  public void setConfirmed(boolean next) {
    confirmed = next;
  }

  /** Takes note of the list of members. */
  public synchronized void enter(long version, Predicate<UUID> members) {
    view = version;
    isMember = members;
    for (Fenced each : fenced) {
      if (each.view == Fenced.UNKNOWN && (each.former == null || !members.test(each.former))) {
        each.view = version;
      }
    }
  }

  public void setRefuses(boolean next) {
    refuses = next || ended;
  }

  /**
   * Lifts the fences of members whose leases have ended.
   *
   * @param view the version of the list of members
   * @param isMember whether a member is in that list
   * @param confirmed members that were lost in this view or earlier have no lease any more
   */
  public synchronized void settle(long view, Predicate<UUID> isMember, long confirmed) {
    fenced.removeIf(
        each -> {
          if (each.view == Fenced.UNKNOWN
              && (each.former == null
                  || !isMember.test(each.former)
                  || each.isBack(clock.getAsLong()))) {
            each.view = view;
          }
          boolean over = each.view != Fenced.UNKNOWN && each.view <= confirmed;
          if (over) {
            each.fence.lift();
          }
          return over;
        });
  }
}
