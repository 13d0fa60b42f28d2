package io.keyvalueserve.maps;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A partition whose keys the log has, and has not given yet: they are read when the first of them
 * is asked for, of all its maps together. Until then its entries know that they know nothing.
 *
 * <p>Entries that are cleared or given up before that, as their map is destroyed or has left, get
 * nothing, and no others in their place: what the log has of them is void. Those of a member that
 * goes down get nothing either, but what the log has of them is as it was.
 *
 * <p>By who has the partition, unless said otherwise.
 */
final class UnreadPartition implements PendingEntries.Takers {
  private enum State {
    UNREAD,
    READING,
    READ
  }

  private final Consumer<PendingEntries.Takers> reading;
  private final Function<String, @Nullable RestoredEntries> present;
  private final Map<String, RestoredEntries> entries = new HashMap<>();
  private volatile State state = State.UNREAD;

  /**
   * A partition of which nothing is known.
   *
   * @param reading puts keys back for those who take them; if it throws it is run again, and goes
   *     on where it was
   * @param present the entries that a map has in the partition
   */
  UnreadPartition(
      Consumer<PendingEntries.Takers> reading,
      Function<String, @Nullable RestoredEntries> present) {
    this.reading = reading;
    this.present = present;
  }

  /** Returns whether entries may be missing that the log has. Any thread may call this. */
  boolean isUnread() {
    return state != State.READ;
  }

  /** The entries of a map are not known before the partition is read. */
  void add(String map, RestoredEntries of) {
    entries.put(map, of);
  }

  /** Removes entries from those that get what the log has. What it has of them is void. */
  void remove(RestoredEntries of) {
    boolean _ = entries.values().remove(of); // by identity: they have no other equality
  }

  /** Reads the keys, if they were not and are not being read. */
  void read() {
    if (state != State.UNREAD) {
      return;
    }
    state = State.READING;
    try {
      reading.accept(this);
      state = State.READ;
    } finally {
      if (state == State.READING) {
        state = State.UNREAD;
      }
    }
    entries.values().forEach(RestoredEntries::markRead);
    entries.clear();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // entries are what they are
  public boolean take(String map) {
    RestoredEntries of = entries.get(map);
    return of != null && !of.isClosed() && present.apply(map) == of;
  }

  @Override
  public boolean isVoid(String map) {
    return !entries.containsKey(map);
  }
}
