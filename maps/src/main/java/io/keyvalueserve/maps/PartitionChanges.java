package io.keyvalueserve.maps;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of the {@link ChangeJournal} that is about one partition.
 *
 * <p>While the cluster is whole, the last changes are noted in a ring, by the owner alone: a split
 * is found out seconds after it began. When a side may be on its own, what the ring has of these
 * seconds becomes the beginning of what is kept of each map ({@link StoreChanges}).
 *
 * <p>By the partition's writer.
 */
final class PartitionChanges {
  /** The value in place of a key's hash that says that all entries were removed. */
  private static final long CLEARED = 0;

  /** A note in the ring has a hash, a time, and the number of the store. */
  private static final int NOTE = 3;

  private static final int FEWEST_NOTES = 32;
  private static final int MOST_NOTES = 4_096;

  private final ChangeJournal journal;
  private final BooleanSupplier primary;

  private long[] ring = {};
  private int next;
  private int notes;

  /** The time of the last note that the ring has lost, though it was young. */
  private long lostAt;

  private long lastTime;
  private boolean quiet;

  /** The split that {@link #stores} are of, as the journal counts them. */
  private int split;

  private final Map<Long, StoreChanges> stores = new HashMap<>();
  private boolean hasGaps;

  /**
   * @param primary whether this member owns the partition at this moment
   */
  PartitionChanges(ChangeJournal journal, BooleanSupplier primary) {
    this.journal = journal;
    this.primary = primary;
  }

  /** Returns whether changes are to be noted. */
  boolean isOn() {
    return !quiet && journal.isOn();
  }

  /**
   * Sets whether changes are not noted from now on, because no client made them: copies, expiry,
   * eviction, and changes that are noted otherwise.
   *
   * @return what it was before, to be set again
   */
  boolean quiet(boolean on) {
    boolean before = quiet;
    quiet = on;
    return before;
  }

  /**
   * A key was changed just now.
   *
   * @param store its number
   * @param before how many entries the store had before, at least
   */
  void changed(long store, long hash, int before) {
    long now = Math.max(lastTime, System.currentTimeMillis());
    lastTime = now;
    if (!journal.isOpen()) {
      remember(store, hash == CLEARED ? 1 : hash, now);
      return;
    }
    StoreChanges changes = of(store, before);
    changes.note(hash, changes.next(hash, now));
  }

  /** All entries of a store were removed just now, but for those that are told afterwards. */
  void cleared(long store) {
    if (!isOn()) {
      return;
    }
    long now = Math.max(lastTime, System.currentTimeMillis());
    lastTime = now;
    if (!journal.isOpen()) {
      remember(store, CLEARED, now);
      return;
    }
    StoreChanges changes = of(store, 1);
    journal.give(changes.forgetKeys());
    changes.cleared(Math.max(now, changes.clearedAt() + 1));
  }

  private void remember(long store, long hash, long now) {
    if (!stores.isEmpty()) {
      drop();
    }
    if (!primary.getAsBoolean()) {
      return;
    }
    if (notes * NOTE == ring.length) {
      makeRoom(now);
    }
    ring[next] = hash;
    ring[next + 1] = now;
    ring[next + 2] = store;
    next = (next + NOTE) % ring.length;
    notes = Math.min(notes + 1, ring.length / NOTE);
  }

  /** The ring is full: it becomes larger if its oldest note is young, or else loses that. */
  private void makeRoom(long now) {
    if (ring.length == 0) {
      ring = new long[FEWEST_NOTES * NOTE];
      return;
    }
    long oldest = ring[next + 1];
    if (now - oldest > journal.windowMillis()) {
      return;
    }
    if (notes >= MOST_NOTES) {
      lostAt = oldest;
      return;
    }
    long[] larger = Arrays.copyOf(inOrder(), ring.length * 2);
    next = ring.length;
    ring = larger;
  }

  /** Returns the notes, the oldest first. */
  private long[] inOrder() {
    int length = notes * NOTE;
    long[] all = new long[length];
    int first = ring.length == 0 ? 0 : (next - length + ring.length) % ring.length;
    int head = Math.min(length, ring.length - first);
    System.arraycopy(ring, first, all, 0, head);
    System.arraycopy(ring, 0, all, head, length - head);
    return all;
  }

  /** Returns what is known of a store; what there was of an earlier split is given up. */
  private StoreChanges of(long store, int before) {
    settle();
    StoreChanges known = stores.get(store);
    if (known == null) {
      known = make(store);
      known.setBegunEmpty(before == 0);
    }
    return known;
  }

  private StoreChanges make(long store) {
    StoreChanges made = new StoreChanges(journal::take, journal::full, hasGaps);
    StoreChanges _ = stores.put(store, made);
    return made;
  }

  private void settle() {
    if (split == journal.split()) {
      return;
    }
    drop();
    split = journal.split();
    long from = journal.openedAt() - journal.windowMillis();
    hasGaps = lostAt >= from;
    long[] all = inOrder();
    for (int i = 0; i < all.length; i += NOTE) {
      if (all[i + 1] >= from) {
        StoreChanges changes = stores.get(all[i + 2]);
        changes = changes == null ? make(all[i + 2]) : changes;
        if (all[i] == CLEARED) {
          journal.give(changes.forgetKeys());
          changes.cleared(all[i + 1]);
        } else {
          changes.note(all[i], all[i + 1]);
        }
      }
    }
    notes = 0;
    next = 0;
  }

  /** Gives up what is not of the present split. */
  void drop() {
    stores.values().forEach(changes -> journal.give(changes.forgetKeys()));
    stores.clear();
    hasGaps = false;
    split = 0;
  }

  /**
   * Returns what is known of a store.
   *
   * @param size how many entries it has
   * @return null if changes are not kept
   */
  @Nullable StoreChanges find(long store, int size) {
    return journal.isOpen() ? of(store, size) : null;
  }

  /** Returns what is known of a store and is known here no longer; null as {@link #find}. */
  @Nullable StoreChanges take(long store, int size) {
    StoreChanges found = find(store, size);
    if (found != null) {
      StoreChanges _ = stores.remove(store);
    }
    return found;
  }

  /** A store is no more. */
  void forget(long store) {
    StoreChanges gone = stores.remove(store);
    if (gone != null) {
      journal.give(gone.forgetKeys());
    }
  }
}
