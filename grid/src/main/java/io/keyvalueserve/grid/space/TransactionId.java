package io.keyvalueserve.grid.space;

import com.hazelcast.internal.locksupport.LockResource;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Names a transaction, and holds its locks: any member finds in a lock who coordinates the
 * transaction, and since when.
 *
 * <p>The owner of the locks is the coordinator's id with another version, 12 in the place of 4. So
 * Hazelcast does not take the locks off when the coordinator leaves: what becomes of them has to be
 * decided first.
 *
 * @param coordinator the id of the member that coordinates it
 * @param number when it began in milliseconds since 1970, above a counter of 20 bits
 */
public record TransactionId(UUID coordinator, long number) {
  private static final int COUNTER_BITS = 20;
  private static final int VERSION = 12;
  private static final long VERSION_SHIFT = 8L << 12;
  private static final AtomicLong LAST = new AtomicLong();

  static TransactionId next(UUID coordinator, long nowMillis) {
    long first = nowMillis << COUNTER_BITS;
    return new TransactionId(coordinator, LAST.updateAndGet(last -> Math.max(last + 1, first)));
  }

  /** Returns the transaction that holds a lock; null if it is not held by one. */
  public static @Nullable TransactionId of(LockResource lock) {
    UUID owner = lock.getOwner();
    return owner != null && owner.version() == VERSION && lock.isLocked()
        ? new TransactionId(shifted(owner), lock.getThreadId())
        : null;
  }

  /** Returns the owner of its locks. */
  UUID lockOwner() {
    return shifted(coordinator);
  }

  private static UUID shifted(UUID id) {
    return new UUID(id.getMostSignificantBits() ^ VERSION_SHIFT, id.getLeastSignificantBits());
  }

  /** Returns when it began by the coordinator's clock, in milliseconds since 1970. */
  public long beganMillis() {
    return number >>> COUNTER_BITS;
  }

  /** Returns the name under which its decision is recorded. */
  @Override
  public String toString() {
    return coordinator + "/" + number;
  }

  /**
   * Reads what {@link #toString} returned.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static TransactionId parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("not a transaction's id");
    }
    return new TransactionId(
        UUID.fromString(text.substring(0, slash)), Long.parseLong(text.substring(slash + 1)));
  }

  void write(ObjectDataOutput out) throws IOException {
    out.writeLong(coordinator.getMostSignificantBits());
    out.writeLong(coordinator.getLeastSignificantBits());
    out.writeLong(number);
  }

  static TransactionId read(ObjectDataInput in) throws IOException {
    return new TransactionId(new UUID(in.readLong(), in.readLong()), in.readLong());
  }
}
