package io.keyvalueserve.maps.query;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far a scan has come in each of some partitions. It means the same on every member that has a
 * copy of the partition, whether that uses an index or not: entries come in the order of a hash of
 * their keys, with a seed that is the cluster's.
 *
 * <p>Immutable. Small: a bit or two for each partition, and 12 bytes for each that is begun.
 */
public final class ScanPosition {
  /** The order of an entry before all. */
  static final long BEGIN = 0;

  private final BitSet open;
  private final BitSet unreachable;

  /** Where to go on, as {@link #orderOf} has it, unsigned; of open partitions that are begun. */
  private final SortedMap<Integer, Long> begun;

  /** The keys that a scan has found in an index and has not visited; never sent. */
  private final @Nullable FoundHashes found;

  private ScanPosition(
      BitSet open,
      BitSet unreachable,
      SortedMap<Integer, Long> begun,
      @Nullable FoundHashes found) {
    this.open = open;
    this.unreachable = unreachable;
    this.begun = begun;
    this.found = found;
  }

  /** Returns the position before all entries of some partitions. */
  public static ScanPosition begin(BitSet partitions) {
    return new ScanPosition((BitSet) partitions.clone(), new BitSet(), new TreeMap<>(), null);
  }

  /** Returns whether nothing is left to be visited at this member. */
  public boolean isDone() {
    return open.equals(unreachable);
  }

  /**
   * Returns the partitions in which something may be left that is to be asked for elsewhere, or
   * later: they are another member's, or are being loaded or moved.
   */
  public BitSet unreachable() {
    return (BitSet) unreachable.clone();
  }

  /** Returns the partitions in which something may be left, unreachable ones too. */
  public BitSet left() {
    return (BitSet) open.clone();
  }

  /** Returns a position in which only some partitions are left, all of them unreachable. */
  public static ScanPosition unreachable(BitSet partitions) {
    return new ScanPosition(
        (BitSet) partitions.clone(), (BitSet) partitions.clone(), new TreeMap<>(), null);
  }

  /** Returns whether some entries of partitions that are left were visited. */
  public boolean isInPartitions() {
    return !begun.isEmpty();
  }

  /**
   * Returns the position of some of the partitions that are left, for a member that has these, or
   * to try them again here.
   */
  public ScanPosition of(BitSet partitions) {
    BitSet some = (BitSet) open.clone();
    some.and(partitions);
    SortedMap<Integer, Long> some1 = new TreeMap<>(begun);
    some1.keySet().removeIf(partition -> !some.get(partition));
    return new ScanPosition(some, new BitSet(), some1, null);
  }

  /** Returns the position in the partitions of both; none may be in both. */
  public ScanPosition and(ScanPosition other) {
    if (open.intersects(other.open)) {
      throw new IllegalArgumentException("a partition has two positions");
    }
    BitSet all = (BitSet) open.clone();
    all.or(other.open);
    BitSet gone = (BitSet) unreachable.clone();
    gone.or(other.unreachable);
    SortedMap<Integer, Long> sum = new TreeMap<>(begun);
    sum.putAll(other.begun);
    return new ScanPosition(all, gone, sum, null);
  }

  /**
   * Returns the place of a hash in the order of a partition's entries, unsigned: the position of
   * the table's scans first.
   */
  static long orderOf(long hash) {
    return ((long) Integer.reverse((int) hash) << Integer.SIZE) | (hash >>> Integer.SIZE);
  }

  /** Returns the hash whose place is an order. */
  static long hashOf(long order) {
    return (order << Integer.SIZE)
        | (Integer.reverse((int) (order >>> Integer.SIZE)) & 0xFFFF_FFFFL);
  }

  /** Returns the cursor of a table's scan at which an entry of an order is met. */
  static long cursorOf(long order) {
    return order >>> Integer.SIZE;
  }

  /** Returns the least order of the entries that a table's scan meets from a cursor on. */
  static long atCursor(long cursor) {
    return cursor << Integer.SIZE;
  }

  @Nullable FoundHashes found() {
    return found;
  }

  /** Returns a copy to be changed by one thread. */
  Draft draft() {
    return new Draft(this);
  }

  // ---- sent

  /** Returns the position as bytes. */
  public byte[] toBytes() {
    byte[] all = open.toByteArray();
    byte[] gone = unreachable.toByteArray();
    ByteBuffer out =
        ByteBuffer.allocate(
            Short.BYTES * 2
                + all.length
                + gone.length
                + Integer.BYTES
                + begun.size() * (Integer.BYTES + Long.BYTES));
    out.putShort((short) all.length).put(all).putShort((short) gone.length).put(gone);
    out.putInt(begun.size());
    begun.forEach((partition, order) -> out.putInt(partition).putLong(order));
    return out.array();
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws IllegalArgumentException if the bytes are no position
   */
  public static ScanPosition of(byte[] bytes) {
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      BitSet open = bits(in);
      BitSet unreachable = bits(in);
      SortedMap<Integer, Long> begun = new TreeMap<>();
      for (int left = in.getInt(); left > 0; left--) {
        begun.put(in.getInt(), in.getLong());
      }
      return new ScanPosition(open, unreachable, begun, null);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("these bytes are no position: " + bytes.length, e);
    }
  }

  private static BitSet bits(ByteBuffer in) {
    byte[] bytes = new byte[in.getShort() & 0xFFFF];
    in.get(bytes);
    return BitSet.valueOf(bytes);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ScanPosition that
        && open.equals(that.open)
        && unreachable.equals(that.unreachable)
        && begun.equals(that.begun);
  }

  @Override
  public int hashCode() {
    return 31 * open.hashCode() + begun.hashCode();
  }

  @Override
  public String toString() {
    return "left=" + open + " unreachable=" + unreachable + " begun=" + begun.keySet();
  }

  /** A position that is being moved on. For one thread. */
  static final class Draft {
    private final BitSet open;
    private final BitSet unreachable;
    private final SortedMap<Integer, Long> begun;
    private @Nullable FoundHashes found;

    private Draft(ScanPosition from) {
      open = (BitSet) from.open.clone();
      unreachable = (BitSet) from.unreachable.clone();
      begun = new TreeMap<>(from.begun);
      found = from.found;
    }

    /** Returns the first partition, from one on, that is open and not unreachable; -1 if none. */
    int next(int from) {
      for (int p = open.nextSetBit(from); p >= 0; p = open.nextSetBit(p + 1)) {
        if (!unreachable.get(p)) {
          return p;
        }
      }
      return -1;
    }

    BitSet left() {
      return open;
    }

    /** Returns where to go on in a partition. */
    long order(int partition) {
      Long order = begun.isEmpty() ? null : begun.get(partition);
      return order == null ? BEGIN : order;
    }

    void moveTo(int partition, long order) {
      Long _ = begun.put(partition, order);
    }

    /** Moves to behind the entry of an order. */
    void moveBehind(int partition, long order) {
      if (order == -1) { // it is the last that there can be
        finish(partition);
      } else {
        moveTo(partition, order + 1);
      }
    }

    boolean isOpen(int partition) {
      return open.get(partition);
    }

    void finish(int partition) {
      open.clear(partition);
      if (!begun.isEmpty()) {
        Long _ = begun.remove(partition);
      }
    }

    void markUnreachable(int partition) {
      unreachable.set(partition);
    }

    @Nullable FoundHashes found() {
      return found;
    }

    void found(@Nullable FoundHashes hashes) {
      found = hashes;
    }

    ScanPosition done() {
      return new ScanPosition(open, unreachable, begun, found);
    }
  }
}
