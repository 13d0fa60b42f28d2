package io.keyvalueserve.store;

import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.function.LongConsumer;

/**
 * Knows which records of a table are to be looked at when: keeps a note in the {@link TimingWheel}
 * for each record that expires, whatever becomes of the record.
 *
 * <p>By the table's writer; {@link #wakeAt} may be asked by any thread.
 */
final class ExpirySchedule implements AutoCloseable {
  private static final int MILLIS = 1_000;

  /**
   * The factor that bounds the notes: at most this many for each record that expires, and {@link
   * #MANY_NOTES} more.
   */
  private static final int STALE_FACTOR = 2;

  private static final int MANY_NOTES = 1_024;

  /** More notes are looked at than are added, so that they do not become more. */
  private static final int SHAKEN = 4;

  private final TimingWheel wheel;
  private final long seed;
  private final Index index;
  private final Scan scan;

  /** The listener that is told when the schedule wakes earlier than it did before. */
  private LongConsumer wakesEarlier = second -> {};

  /** The time at which the schedule woke when that was looked at last. */
  private long wokeAt = TimingWheel.NEVER;

  /** True if some records that expire have no note because there was no memory for it. */
  private volatile boolean unnoted;

  /**
   * The cursor at which {@link #noteMissing} goes on. The next field says whether it has found no
   * memory since it began.
   */
  private long missingCursor;

  private boolean missedAgain;

  /** See {@link Table#scan}. */
  @FunctionalInterface
  interface Scan {
    long from(long cursor, RecordVisitor visitor);
  }

  /**
   * @param index finds the records
   * @param scan goes through all of them
   */
  ExpirySchedule(NativeHeap heap, int stripe, long seed, Index index, Scan scan) {
    this.wheel = new TimingWheel(heap, stripe);
    this.seed = seed;
    this.index = index;
    this.scan = scan;
  }

  /** See {@link Table#expiryWakeAt}. */
  long wakeAt() {
    return unnoted ? 0 : wheel.wakeAt();
  }

  /** See {@link Table#onWakeEarlier}. */
  void onWakeEarlier(LongConsumer listener) {
    wakesEarlier = listener;
    wokeAt = TimingWheel.NEVER;
    tellIfEarlier();
  }

  private void tellIfEarlier() {
    long now = wakeAt();
    if (now < wokeAt) {
      wakesEarlier.accept(now);
    }
    wokeAt = now;
  }

  /** The memory of all notes, in bytes. */
  long bytes() {
    return wheel.bytes();
  }

  /** See {@link Table#expire}. */
  boolean expire(long nowMillis, int most, ExpiryVisitor visitor) {
    boolean more = expireSome(nowMillis, most, visitor);
    tellIfEarlier();
    return more;
  }

  private boolean expireSome(long nowMillis, int most, ExpiryVisitor visitor) {
    long now = Math.floorDiv(nowMillis, MILLIS);
    if (unnoted) {
      noteMissing(most, nowMillis);
    }
    for (int looked = 0; looked < most; looked++) {
      if (!wheel.poll(now)) {
        return false;
      }
      long record = index.find(wheel.hash(), wheel.id());
      if (record != 0) {
        long at = Records.expiresAt(record);
        boolean isPast = at < nowMillis;
        renote(record, wheel.hash(), wheel.id(), isPast ? visitor.visit(record) : at, nowMillis);
      }
    }
    return wheel.wakeAt() <= now;
  }

  /**
   * Notes a record that expires, and is new or in the place of another one.
   *
   * @param hash of its key
   * @param old the record before; 0 if there was none, the same if its expiry was changed in place
   * @param oldExpiry when the record before expired
   * @param expiring how many records of the table expire
   */
  void note(long hash, long old, long record, long oldExpiry, int expiring) {
    if (!Records.expires(record)) {
      return;
    }
    long at = Records.expiresAt(record);
    int kept = old == 0 ? 0 : Records.note(old);
    if (kept != 0 && oldExpiry <= at) {
      Records.setNote(record, kept); // it comes early enough, and is moved then
      return;
    }
    long now = System.currentTimeMillis();
    renote(record, hash, wheel.nextId(), at, now);
    if (wheel.notes() > STALE_FACTOR * (long) expiring + MANY_NOTES) {
      shake(now);
    }
    tellIfEarlier();
  }

  /** See {@link Table#expireLater}. */
  void noteLater(long record, long atMillis, long nowMillis) {
    if (Records.expires(record) && Records.note(record) == 0) {
      renote(record, Records.hash(record, seed), wheel.nextId(), atMillis, nowMillis);
      tellIfEarlier();
    }
  }

  /** Has a record looked at at a time; at none if that is {@link Attributes#NEVER}. */
  private void renote(long record, long hash, int id, long atMillis, long nowMillis) {
    if (atMillis == Attributes.NEVER) {
      Records.setNote(record, 0);
      return;
    }
    try {
      wheel.add(hash, id, Math.floorDiv(atMillis, MILLIS) + 1, Math.floorDiv(nowMillis, MILLIS));
      Records.setNote(record, id);
    } catch (OutOfNativeMemoryException e) {
      Records.setNote(record, 0);
      unnoted = true;
      missedAgain = true;
    }
  }

  /** Looks at a few notes before their time, so that those of records that are gone go too. */
  private void shake(long nowMillis) {
    wheel.shake();
    for (int i = 0; i < SHAKEN && wheel.isWaiting(); i++) {
      boolean _ = wheel.poll(Long.MIN_VALUE);
      long record = index.find(wheel.hash(), wheel.id());
      if (record != 0) {
        renote(record, wheel.hash(), wheel.id(), Records.expiresAt(record), nowMillis);
      }
    }
  }

  /** Gives notes to records that there was no memory for. */
  private void noteMissing(int most, long nowMillis) {
    if (missingCursor == 0) {
      missedAgain = false;
    }
    int[] left = {most};
    do {
      missingCursor =
          scan.from(
              missingCursor,
              record -> {
                left[0]--;
                noteLater(record, Records.expiresAt(record), nowMillis);
              });
      if (missingCursor == Table.END) {
        missingCursor = 0;
        unnoted = missedAgain;
        return;
      }
    } while (left[0] > 0 && !missedAgain);
  }

  /** Drops all notes. Allocates nothing. */
  void clear() {
    wheel.clear();
    tellIfEarlier();
  }

  /** Gives back all memory. Idempotent. */
  @Override
  public void close() {
    wheel.close();
  }
}
