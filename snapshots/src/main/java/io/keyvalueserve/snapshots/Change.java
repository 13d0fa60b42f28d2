package io.keyvalueserve.snapshots;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of a map after a snapshot.
 *
 * @param stampMillis when the change was made, 0 or later
 * @param sequence the position among the changes of its member
 * @param map the name of the map
 * @param entry the entry that was put; null for the other kinds
 * @param removed the key that was removed; null for the other kinds
 */
public record Change(
    long stampMillis,
    long sequence,
    int partition,
    String map,
    Kind kind,
    @Nullable SnapshotEntry entry,
    byte @Nullable [] removed) {

  /** The kinds of changes. */
  public enum Kind {
    /** An entry is put, or replaces the one of the same key. */
    PUT(1),
    /** A key is removed. */
    REMOVE(2),
    /** All entries of a partition of a map are removed. */
    CLEAR(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** Returns the number that stands for this kind in a segment. */
    int code() {
      return code;
    }

    /** Returns the kind of a number; null if there is none. */
    static @Nullable Kind ofCode(int code) {
      return switch (code) {
        case 1 -> PUT;
        case 2 -> REMOVE;
        case 3 -> CLEAR;
        default -> null;
      };
    }
  }

  /** Checks that the kind has what it needs and nothing else. */
  public Change {
    if (stampMillis < 0 || partition < 0) {
      throw SnapshotException.invalid("change", "has a number below 0: give 0 or more");
    }
    if ((kind == Kind.PUT) != (entry != null) || (kind == Kind.REMOVE) != (removed != null)) {
      throw SnapshotException.invalid(
          "change", "has not what its kind needs: give an entry to put or a key to remove");
    }
  }

  /** Returns a change that puts an entry. */
  public static Change put(
      long stampMillis, long sequence, int partition, String map, SnapshotEntry entry) {
    return new Change(stampMillis, sequence, partition, map, Kind.PUT, entry, null);
  }

  /** Returns a change that removes a key. */
  public static Change remove(
      long stampMillis, long sequence, int partition, String map, byte[] key) {
    return new Change(stampMillis, sequence, partition, map, Kind.REMOVE, null, key);
  }

  /** Returns a change that removes all entries of a partition of a map. */
  public static Change clear(long stampMillis, long sequence, int partition, String map) {
    return new Change(stampMillis, sequence, partition, map, Kind.CLEAR, null, null);
  }

  /** Returns the key of the entry that was put or removed; null for a clear. */
  public byte @Nullable [] key() {
    return entry != null ? entry.key() : removed;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Change change
        && stampMillis == change.stampMillis
        && sequence == change.sequence
        && partition == change.partition
        && map.equals(change.map)
        && kind == change.kind
        && Objects.equals(entry, change.entry)
        && Arrays.equals(removed, change.removed);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        stampMillis, sequence, partition, map, kind, entry, Arrays.hashCode(removed));
  }

  /** Returns all but the content. */
  @Override
  public String toString() {
    return kind + "[" + map + "/" + partition + ", stamp=" + stampMillis + ", #" + sequence + "]";
  }
}
