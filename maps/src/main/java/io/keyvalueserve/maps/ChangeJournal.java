package io.keyvalueserve.maps;

import com.hazelcast.cluster.Member;
import com.hazelcast.internal.cluster.ClusterService;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.tenancy.HostPort;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what has changed in this member's maps since members of the cluster were lost that may go
 * on without it. When they are back, the changes are merged by the times that they were made
 * ({@link SplitMerge}). ADR 48 explains it.
 *
 * <p>The journal is open from the moment when a member is lost without having said that it leaves,
 * until all lost members are back and a minute has passed without a merge. Thread-safe.
 */
public final class ChangeJournal {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeJournal.class);

  /** The part of the Java heap that changes of all maps may take. */
  private static final int HEAP_PART = 16;

  /** The largest number of sides of a cluster that can be told apart: {@link #side}. */
  public static final int MOST_SIDES = 64;

  private static final long LINGER_MILLIS = TimeUnit.MINUTES.toMillis(1);

  /** The pause between two calls of {@link #lookAgain}. */
  static final long LOOK_MILLIS = 500;

  private static final long WINDOW_MILLIS = 10_000;

  private final AtomicLong taken = new AtomicLong();
  private final LongAdder mergedTaken = new LongAdder();
  private final LongAdder mergedDiscarded = new LongAdder();
  private final LongAdder mergedRemoved = new LongAdder();
  private final LongAdder mergedFailed = new LongAdder();
  private final LongAdder givenWay = new LongAdder();
  private final LongAdder overflows = new LongAdder();
  private volatile long mergedAt;
  private final LogLimit warnings = LogLimit.aMinute(1);

  private volatile long mostBytes = Runtime.getRuntime().maxMemory() / HEAP_PART;
  private volatile long windowMillis = WINDOW_MILLIS;
  private volatile long lingerMillis = LINGER_MILLIS;
  private volatile BooleanSupplier merges = () -> true;
  private volatile Supplier<Set<UUID>> leaving = Set::of;

  private volatile boolean on;
  private volatile boolean open;
  private volatile int split;
  private volatile long openedAt;
  private volatile long closesAt;
  private volatile int side;
  private @Nullable NodeEngine nodeEngine;
  private Runnable whenClosed = () -> {};

  // Guarded by this.
  private Set<String> known = Set.of();

  /** All members when the journal was opened, this one and the lost ones included. */
  private TreeSet<String> whole = new TreeSet<>();

  private final Set<String> missing = new HashSet<>();

  /** The members that have said that they leave. */
  private final Set<String> goodbyes = new HashSet<>();

  ChangeJournal() {}

  /** Called once, when the member's map service is made. */
  void attach(NodeEngine engine, Runnable dropping) {
    whenClosed = dropping;
    nodeEngine = engine;
  }

  /** Looks at the list of members, unless the member has forgotten them as it ends. */
  void lookAgain() {
    NodeEngine engine = nodeEngine;
    if (engine != null && (engine.isRunning() || engine.getClusterService().isJoined())) {
      look();
    }
  }

  /**
   * Says when sides of the cluster go on. Before the member starts.
   *
   * @param mayMerge whether sides that lose contact both go on
   * @param areLeaving the ids of members that have said that they leave
   * @param detectionMillis how long it takes at most until a lost member is found out
   */
  public void follow(
      BooleanSupplier mayMerge, Supplier<Set<UUID>> areLeaving, long detectionMillis) {
    merges = mayMerge;
    leaving = areLeaving;
    windowMillis = detectionMillis;
  }

  /** Bounds the memory for changes on this member, on the Java heap. */
  public void setMostBytes(long bytes) {
    mostBytes = bytes;
  }

  /** Sets how long the journal stays open after the last member is back, or the last merge. */
  void setLingerMillis(long millis) {
    lingerMillis = millis;
  }

  /** The list of members may have changed. Does not block for long. */
  public synchronized void look() {
    NodeEngine engine = nodeEngine;
    if (engine == null) {
      return;
    }
    ClusterService cluster = engine.getClusterService();
    if (cluster == null || !merges.getAsBoolean()) {
      known = Set.of();
      missing.clear();
      goodbyes.clear();
      turn(false, false);
      return;
    }
    Set<String> present = new HashSet<>();
    Set<UUID> ids = leaving.get();
    Set<String> leavers = new HashSet<>();
    for (Member member : cluster.getMembers()) {
      if (!member.localMember()) {
        String address = text(member);
        present.add(address);
        if (ids.contains(member.getUuid())) {
          leavers.add(address);
        }
      }
    }
    for (String each : known) {
      if (!present.contains(each) && !goodbyes.contains(each)) {
        boolean _ = missing.add(each);
      }
    }
    goodbyes.retainAll(present);
    goodbyes.addAll(leavers);
    boolean wereMissing = !missing.isEmpty();
    String self = text(cluster.getLocalMember());
    missing.removeAll(present);
    boolean _ = missing.remove(self); // others may have told this member that it was lost
    if (!open) {
      whole = new TreeSet<>(known);
      whole.add(self);
    }
    known = present;
    side = sideOf(present, self);
    keep(wereMissing, !present.isEmpty());
  }

  /** The first of the members that were there before and are on this side. */
  private int sideOf(Set<String> present, String self) {
    int index = 0;
    for (String each : whole) {
      if (each.equals(self) || present.contains(each)) {
        break;
      }
      index++;
    }
    return index % MOST_SIDES;
  }

  private void keep(boolean wereMissing, boolean areOthers) {
    long now = System.currentTimeMillis();
    if (!missing.isEmpty()) {
      if (!open) {
        openedAt = now;
        split = split == Integer.MAX_VALUE ? 1 : split + 1;
        LOG.info("changes of maps are kept for a merge: members were lost: {}", missing);
      }
      turn(true, true);
    } else if (open) {
      if (wereMissing) {
        closesAt = now + lingerMillis;
      }
      boolean ends = now > closesAt;
      turn(areOthers || !ends, !ends);
    } else {
      turn(areOthers, false);
    }
  }

  private void turn(boolean nextOn, boolean nextOpen) {
    boolean closes = open && !nextOpen;
    open = nextOpen;
    on = nextOn;
    if (closes) {
      LOG.info("changes of maps are no longer kept: all members are back");
      NodeEngine engine = nodeEngine;
      if (engine != null) {
        engine.getExecutionService().execute("hz:async", whenClosed);
      }
    }
  }

  private static String text(Member member) {
    return HostPort.of(member.getAddress().getHost(), member.getAddress().getPort());
  }

  /** Others of this side know of members that this one has never met. */
  synchronized void learn(Collection<String> others) {
    if (!open && merges.getAsBoolean()) {
      openedAt = System.currentTimeMillis();
      split = split == Integer.MAX_VALUE ? 1 : split + 1;
      closesAt = openedAt + lingerMillis;
      turn(true, true);
    }
    missing.addAll(others);
    look();
  }

  /** Returns the addresses of the members that are lost. */
  synchronized List<String> missing() {
    return List.copyOf(missing);
  }

  /** A merge goes on. */
  void merging() {
    closesAt = System.currentTimeMillis() + lingerMillis;
  }

  // ---- for the writers of partitions

  /** Returns whether changes are to be noted at all. */
  boolean isOn() {
    return on;
  }

  /** Returns whether changes are kept for a merge. */
  public boolean isOpen() {
    return open;
  }

  /**
   * Returns a number that no other side of the split has: 0 to {@link #MOST_SIDES} - 1; -1 if the
   * journal is closed. Sides of a cluster of more members may have the same.
   */
  public int side() {
    return open ? side : -1;
  }

  /**
   * Returns when the split was found out here, in milliseconds since 1970; {@link Long#MAX_VALUE}
   * if the journal is closed.
   */
  public long splitSince() {
    return open ? openedAt : Long.MAX_VALUE;
  }

  /** Counts how often the journal was opened. */
  int split() {
    return split;
  }

  /** Returns when the journal was opened, in milliseconds since 1970. */
  long openedAt() {
    return openedAt;
  }

  /** Returns for how long before a loss is found out changes have to be known. */
  long windowMillis() {
    return windowMillis;
  }

  boolean take(long more) {
    if (taken.addAndGet(more) > mostBytes) {
      long _ = taken.addAndGet(-more);
      return false;
    }
    return true;
  }

  void give(long bytes) {
    if (bytes != 0) {
      long _ = taken.addAndGet(-bytes);
    }
  }

  /** A change could not be noted. */
  void full() {
    overflows.increment();
    if (warnings.take() >= 0) {
      LOG.warn(
          "the changes of maps since members were lost take {} bytes, and no more are kept: of"
              + " the others a merge cannot tell which side's are later, and takes only what the"
              + " other side does not have",
          taken.get());
    }
  }

  // ---- what is seen

  /** Returns how much the changes take, in bytes of the Java heap. */
  public long bytes() {
    return taken.get();
  }

  /** Counts what a merge did here, as the side that others are merged into. */
  void merged(long taken, long discarded, long removed) {
    mergedAt = System.currentTimeMillis();
    mergedTaken.add(taken);
    mergedDiscarded.add(discarded);
    mergedRemoved.add(removed);
  }

  /**
   * Counts a merge in which this member has given way to another side.
   *
   * @param failed changes that could not be merged
   */
  void gaveWay(long failed) {
    mergedAt = System.currentTimeMillis();
    mergedFailed.add(failed);
    givenWay.increment();
  }

  /** Returns how often this member has given way to another side, and brought its changes. */
  public long givenWay() {
    return givenWay.sum();
  }

  /** Returns how many changes of this member could not be merged, and are lost. */
  public long mergedFailed() {
    return mergedFailed.sum();
  }

  /**
   * Returns when this member last took part in a merge, in milliseconds since 1970; 0 if it has not
   * since it started.
   */
  public long mergedAt() {
    return mergedAt;
  }

  /** Returns how many values of another side have replaced what was here, or were added. */
  public long mergedTaken() {
    return mergedTaken.sum();
  }

  /** Returns how many changes of another side were older than what was here, and have no effect. */
  public long mergedDiscarded() {
    return mergedDiscarded.sum();
  }

  /** Returns how many entries were removed here, as another side had removed them later. */
  public long mergedRemoved() {
    return mergedRemoved.sum();
  }

  /** Returns how many changes were not noted, as there was no room for them. */
  public long overflows() {
    return overflows.sum();
  }
}
