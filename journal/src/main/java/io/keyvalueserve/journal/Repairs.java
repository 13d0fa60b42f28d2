package io.keyvalueserve.journal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * Files of an open log that turned out to be damaged, and whose records have to be written anew by
 * their owner. Files that were known to be damaged when the log was opened are not among them.
 *
 * <p>Of the compactor's thread; figures are read by all.
 */
final class Repairs {
  /** The time until a repair is tried again for which there was no room. */
  private static final long AGAIN_NANOS = 10_000_000_000L;

  private final RecordOwner owner;
  private final boolean on;
  private final Map<Chunk, String> broken = new HashMap<>(); // with what the operator knows it as
  private final Map<Chunk, Long> postponed = new HashMap<>(); // until when
  private final Deque<Long> blobs = new ArrayDeque<>();
  private final Set<Long> knownBlobs = new HashSet<>();
  private long blobsFromNanos;
  private boolean blobsWait;
  private final AtomicLong damaged = new AtomicLong();
  private final AtomicLong renewed = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private volatile int open;

  /**
   * @param on false if the owner has positions only, and no records: then nothing is written anew
   */
  Repairs(RecordOwner owner, boolean on) {
    this.owner = owner;
    this.on = on;
  }

  boolean isOn() {
    return on;
  }

  /** A chunk is not as it was written: it is to be compacted, and set aside. */
  void broken(Chunk chunk, List<Damage> found) {
    if (!on) {
      return;
    }
    chunk.markDamaged();
    boolean isNew = broken.putIfAbsent(chunk, found.getFirst().file()) == null;
    countOpen(); // first: who sees that there was damage sees that it is not repaired
    count(found.size());
    if (isNew) {
      owner.damageFound(found.getFirst(), found.size());
    }
  }

  /** A blob is not as it was written. */
  void badBlob(long id, Damage found) {
    if (!on || !knownBlobs.add(id)) {
      return;
    }
    blobs.add(id);
    countOpen();
    count(1);
    owner.damageFound(found, 1);
  }

  /** Returns whether a chunk is to be repaired before it goes. */
  boolean isBroken(Chunk chunk) {
    return broken.containsKey(chunk);
  }

  /** Broken chunks that have to wait until there is room. */
  Set<Chunk> waiting(long now, boolean full) {
    if (full) {
      return Set.copyOf(broken.keySet());
    }
    postponed.values().removeIf(until -> now - until >= 0);
    return Set.copyOf(postponed.keySet());
  }

  /** A broken chunk cannot be repaired at the moment. */
  void postpone(Chunk chunk, long now) {
    postponed.put(chunk, now + AGAIN_NANOS);
  }

  /** A chunk is gone; nothing if it was not broken. */
  void gone(Chunk chunk) {
    String file = broken.remove(chunk);
    postponed.remove(chunk);
    if (file != null) {
      countOpen();
      owner.damageMended(file);
    }
  }

  /** The next blob whose record is to be written anew; -1 if there is none. */
  long nextBlob(long now) {
    if (blobs.isEmpty() || (blobsWait && now - blobsFromNanos < 0)) {
      return -1;
    }
    return blobs.getFirst();
  }

  /** Called when the record of {@link #nextBlob} was written anew, or was not needed any more. */
  void blobMended(String file) {
    knownBlobs.remove(blobs.removeFirst());
    blobsWait = false;
    countOpen();
    owner.damageMended(file);
  }

  /** Called when the record of {@link #nextBlob} cannot be written anew at the moment. */
  void postponeBlobs(long now) {
    blobsWait = true;
    blobsFromNanos = now + AGAIN_NANOS;
  }

  /** Has the owner write anew what it has at positions that are lost. */
  RecordOwner.Renewed renew(LongPredicate positions) throws InterruptedException {
    RecordOwner.Renewed done = owner.renew(positions);
    long _ = renewed.addAndGet(done.records());
    long _ = lost.addAndGet(done.lost());
    return done;
  }

  private void count(int places) {
    long _ = damaged.addAndGet(places);
  }

  private void countOpen() {
    open = broken.size() + blobs.size();
  }

  long damaged() {
    return damaged.get();
  }

  long renewed() {
    return renewed.get();
  }

  long lost() {
    return lost.get();
  }

  /** Returns the number of damaged files that are to be repaired. */
  int open() {
    return open;
  }
}
