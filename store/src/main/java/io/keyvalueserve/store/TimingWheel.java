package io.keyvalueserve.store;

import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The times at which records of a table have to be looked at, as they may have expired. It is a
 * hierarchical timing wheel outside the Java heap (G. Varghese, T. Lauck, "Hashed and hierarchical
 * timing wheels", SOSP 1987).
 *
 * <pre>
 *   slots    4 levels of 64 lists of notes, for 1 s, 64 s, 68 min and 73 h each
 *
 *   chunk    | next 8 | count 4 | room 4 | hashes, 8 each | ids, 4 each |      of a list
 *
 *   note     hash: of the record's key; id: of the note, kept in the record too
 * </pre>
 *
 * <p>Records move, so a note does not say where its record is: it has the hash to find it by. A
 * note is <em>stale</em> if no record has its id: the record was removed, or got a later note.
 * Stale notes are dropped when their time comes, or before, if there are too many of them: the
 * caller says when ({@link #shake}).
 *
 * <p>Up to {@value #FEW} notes are in one list, as most tables have few records.
 *
 * <p>Times are seconds of a wall clock. It may be set: after it went back, lists are looked at
 * early, never late. By one writer; {@link #wakeAt} may be asked by any thread.
 */
final class TimingWheel implements AutoCloseable {
  /** No time. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int FEW = 64;
  private static final int LEVELS = 4;
  private static final int BITS = 6;
  private static final int SLOTS = 1 << BITS;
  private static final int MASK = SLOTS - 1;
  private static final long SPAN = 1L << (LEVELS * BITS);
  private static final int SLOTS_BYTES = LEVELS * SLOTS * Long.BYTES;

  private static final int COUNT = 8;
  private static final int ROOM = 12;
  private static final int HASHES = 16;
  private static final int NOTE_BYTES = Long.BYTES + Integer.BYTES;
  private static final int LEAST_ROOM = 4;
  private static final int MOST_ROOM = 256;

  private static final VarHandle WAKE_AT;

  static {
    try {
      WAKE_AT = MethodHandles.lookup().findVarHandle(TimingWheel.class, "wakeAt", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final NativeHeap heap;
  private final int stripe;

  /** Lists whose notes have to be looked at, one after the other. */
  private final long[] waiting = new long[LEVELS + 1];

  /** The lists of all levels; 0 while there are few notes. */
  private long slots;

  /** The only list, while there are few notes. */
  private long few;

  private long fewDue = NEVER;

  /** The second up to which lists have been taken. */
  private long current;

  /** The lists of the first level that have notes, a bit for each. */
  private long near;

  @SuppressWarnings("UnusedVariable") // by WAKE_AT
  private long wakeAt = NEVER;

  private int notes;
  private int lastId;
  private int shaken;
  private long bytes;

  // The note that was polled last.
  private long hash;
  private int id;

  TimingWheel(NativeHeap heap, int stripe) {
    this.heap = heap;
    this.stripe = stripe;
  }

  /** The second from which on {@link #poll} may have a note; {@link #NEVER} if there is none. */
  long wakeAt() {
    return (long) WAKE_AT.getOpaque(this);
  }

  /** Returns the number of notes, stale ones too. */
  int notes() {
    return notes;
  }

  /** The memory of all notes, in bytes. */
  long bytes() {
    return bytes;
  }

  /** Returns an id for a new note: not 0. */
  int nextId() {
    lastId = lastId == -1 ? 1 : lastId + 1;
    return lastId;
  }

  /**
   * Adds a note.
   *
   * @param due when {@link #poll} is to return it, in seconds
   * @param now the time
   * @throws OutOfNativeMemoryException if there is no memory for it; nothing has changed
   */
  void add(long hash, int id, long due, long now) {
    if (notes == 0) {
      current = now;
    }
    if (slots == 0) {
      if (notes < FEW || !hasSlots()) {
        few = push(few, hash, id);
        fewDue = Math.min(fewDue, due);
        noted();
        return;
      }
      current = now;
      spread();
    }
    current = Math.min(current, now + 1); // the clock may have gone back
    long delta = Math.clamp(due - current, 1, SPAN - 1);
    int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros(delta)) / BITS;
    int slot = (int) ((current + delta) >>> (level * BITS)) & MASK;
    long at = slots + (long) (level * SLOTS + slot) * Long.BYTES;
    Memory.putLong(at, push(Memory.getLong(at), hash, id));
    if (level == 0) {
      near |= 1L << slot;
    }
    noted();
  }

  private void noted() {
    notes++;
    setWakeAt();
  }

  private boolean hasSlots() {
    try {
      slots = heap.allocate(stripe, SLOTS_BYTES);
    } catch (OutOfNativeMemoryException e) {
      return false;
    }
    Memory.fill(slots, SLOTS_BYTES, (byte) 0);
    bytes += SLOTS_BYTES;
    return true;
  }

  /** Has the notes of the only list looked at, which puts them where they belong. */
  private void spread() {
    waiting[LEVELS] = few; // it is empty: the list has been in use
    few = 0;
    fewDue = NEVER;
  }

  /**
   * Takes the next note whose time has come, or that has to be put elsewhere. The caller adds it
   * again if its record is still to be looked at.
   *
   * @param now the time
   * @return whether there was one: {@link #hash()} and {@link #id()} are its
   */
  boolean poll(long now) {
    while (true) {
      for (int i = 0; i < waiting.length; i++) {
        if (waiting[i] != 0) {
          waiting[i] = pop(waiting[i]);
          notes--;
          setWakeAt();
          return true;
        }
      }
      if (notes == 0) {
        freeSlots();
        current = now;
        setWakeAt();
        return false;
      }
      if (slots == 0) {
        if (fewDue > now) {
          return false;
        }
        spread();
      } else if (current >= now) {
        current = Math.min(current, now + 1); // the clock went back: lists are looked at early
        return false;
      } else if (near == 0 && (current & MASK) != MASK) {
        current = Math.min(now, current | MASK); // up to where the next list is taken
        setWakeAt();
      } else {
        turn();
      }
    }
  }

  /** Goes on by a second. */
  private void turn() {
    current++;
    take(0);
    for (int level = 1; level < LEVELS; level++) {
      if ((current & ((1L << (level * BITS)) - 1)) != 0) {
        break;
      }
      take(level);
    }
    setWakeAt();
  }

  /** Has the notes of the present list of a level looked at. */
  private void take(int level) {
    int slot = (int) (current >>> (level * BITS)) & MASK;
    long at = slots + (long) (level * SLOTS + slot) * Long.BYTES;
    waiting[level] = Memory.getLong(at); // it is empty: whoever polls goes through all of it first
    Memory.putLong(at, 0);
    if (level == 0) {
      near &= ~(1L << slot);
    }
  }

  /**
   * Has a list of notes looked at before its time, so that stale ones are dropped. Each call takes
   * another one; does nothing while notes wait.
   */
  void shake() {
    if (isWaiting()) {
      return;
    }
    if (slots == 0) {
      if (few != 0) {
        spread();
      }
    } else {
      for (int tried = 0; tried < LEVELS * SLOTS && !isWaiting(); tried++) {
        int slot = shaken++ & (LEVELS * SLOTS - 1);
        long at = slots + (long) slot * Long.BYTES;
        waiting[LEVELS] = Memory.getLong(at);
        Memory.putLong(at, 0);
        if (slot < SLOTS) {
          near &= ~(1L << slot);
        }
      }
    }
    setWakeAt();
  }

  /** Returns whether notes wait to be polled, whatever the time. */
  boolean isWaiting() {
    for (long list : waiting) {
      if (list != 0) {
        return true;
      }
    }
    return false;
  }

  /** The hash of the note that was polled last. */
  long hash() {
    return hash;
  }

  /** The id of the note that was polled last. */
  int id() {
    return id;
  }

  private void setWakeAt() {
    WAKE_AT.setOpaque(this, computeWakeAt());
  }

  private long computeWakeAt() {
    if (isWaiting()) {
      return 0;
    }
    if (notes == 0) {
      return NEVER;
    }
    if (slots == 0) {
      return fewDue;
    }
    long toNextTurn = SLOTS - (current & MASK);
    if (near != 0) {
      long ahead = Long.rotateRight(near, (int) ((current + 1) & MASK));
      return current + Math.min(toNextTurn, 1 + Long.numberOfTrailingZeros(ahead));
    }
    return current + toNextTurn;
  }

  // ---- lists

  private long push(long head, long hash, int id) {
    long chunk = head;
    if (chunk == 0 || Memory.getInt(chunk + COUNT) == Memory.getInt(chunk + ROOM)) {
      int room = chunk == 0 ? LEAST_ROOM : Math.min(MOST_ROOM, 2 * Memory.getInt(chunk + ROOM));
      long added = heap.allocate(stripe, chunkBytes(room));
      bytes += chunkBytes(room);
      Memory.putLong(added, chunk);
      Memory.putInt(added + COUNT, 0);
      Memory.putInt(added + ROOM, room);
      chunk = added;
    }
    int count = Memory.getInt(chunk + COUNT);
    Memory.putLong(chunk + HASHES + (long) count * Long.BYTES, hash);
    Memory.putInt(idAt(chunk, count), id);
    Memory.putInt(chunk + COUNT, count + 1);
    return chunk;
  }

  /** Takes the last note of a list, which is not empty, and returns the rest; 0 if it is empty. */
  private long pop(long chunk) {
    int last = Memory.getInt(chunk + COUNT) - 1;
    hash = Memory.getLong(chunk + HASHES + (long) last * Long.BYTES);
    id = Memory.getInt(idAt(chunk, last));
    if (last > 0) {
      Memory.putInt(chunk + COUNT, last);
      return chunk;
    }
    return free(chunk);
  }

  private static long idAt(long chunk, int index) {
    return chunk
        + HASHES
        + (long) Memory.getInt(chunk + ROOM) * Long.BYTES
        + (long) index * Integer.BYTES;
  }

  private static int chunkBytes(int room) {
    return HASHES + room * NOTE_BYTES;
  }

  private long free(long chunk) {
    long next = Memory.getLong(chunk);
    int size = chunkBytes(Memory.getInt(chunk + ROOM));
    heap.free(stripe, chunk, size);
    bytes -= size;
    return next;
  }

  private void freeSlots() {
    if (slots != 0) {
      heap.free(stripe, slots, SLOTS_BYTES);
      bytes -= SLOTS_BYTES;
      slots = 0;
      near = 0;
    }
  }

  /** Drops all notes. Allocates nothing. */
  void clear() {
    for (int i = 0; i < waiting.length; i++) {
      freeAll(waiting[i]);
      waiting[i] = 0;
    }
    freeAll(few);
    few = 0;
    fewDue = NEVER;
    for (int i = 0; slots != 0 && i < LEVELS * SLOTS; i++) {
      freeAll(Memory.getLong(slots + (long) i * Long.BYTES));
    }
    freeSlots();
    notes = 0;
    setWakeAt();
  }

  private void freeAll(long head) {
    for (long chunk = head; chunk != 0; ) {
      chunk = free(chunk);
    }
  }

  /** Gives back all memory. Idempotent. */
  @Override
  public void close() {
    clear();
  }
}
