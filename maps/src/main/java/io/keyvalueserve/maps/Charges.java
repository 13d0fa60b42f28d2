package io.keyvalueserve.maps;

import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.store.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the entries of one partition of a map by the tenant that they count for. A record with a
 * tenant's number counts for that tenant if the map charges writers and the tenant is known.
 * Everything else counts for the owner of the map: other records, the index, and records that are
 * not loaded yet.
 *
 * <p>Sums are kept by number, whatever the setting is at present. When the setting or the tenants
 * change, whole sums are moved, and no record has to be looked at. Used by the writer of the
 * entries.
 *
 * <p>Each sum is integrated over time at each of its changes, because memory is charged by how long
 * it is held. Only the time counts for which this member has owned the partition ({@link
 * OwnedTime}), so backups are not charged.
 */
final class Charges {
  private static final int FEWEST_SLOTS = 8;

  private final @Nullable TenantHoldings owner;
  private final Tenants tenants;
  private final LongSupplier ownedMillis;
  private final Heir heir;
  private final HeldLevel own = new HeldLevel();
  private boolean countsEntries = true;
  private long ownEntries;

  // By number, with open addressing, at most half full.
  private @Nullable Sum[] sums = new Sum[1];
  private int used;

  private @Nullable Sum last;
  private long othersBytes;
  private long othersEntries;
  private long othersSpilled;
  private int seen;

  /** The facts about tenants that sums depend on. Thread-safe. */
  interface Tenants {
    /** Returns whether the map charges writers. */
    boolean areCharged();

    /** Moves on once what the others say has changed. */
    int changes();

    /** Returns the usage of the tenant with a number; null if there is no such tenant. */
    @Nullable TenantHoldings usage(int number);
  }

  /** Takes over what was held for how long. */
  @FunctionalInterface
  interface Heir {
    /**
     * Adds what counts for a tenant.
     *
     * @param number the tenant's, {@link Writers#OWNER} for the owner of the map
     * @param byteMillis bytes in memory, times milliseconds
     * @param spilledByteMillis bytes of values on the disk, times milliseconds
     */
    void take(int number, long byteMillis, long spilledByteMillis);
  }

  private static final class Sum {
    private final int number;

    /** The level that was reported to the tenant's usage, and is charged. */
    private final HeldLevel told = new HeldLevel();

    private @Nullable TenantHoldings usage;
    private long bytes;
    private long entries;
    private long spilled;
    private long toldEntries;

    Sum(int number) {
      this.number = number;
    }

    boolean isNothing() {
      return (bytes | entries | spilled | toldEntries) == 0 && told.isNothing();
    }
  }

  /**
   * Creates the sums of a partition without entries.
   *
   * @param owner the usage of the map's owner; null if the map has no owner
   * @param ownedMillis the clock of the partition
   * @param heir takes over what was held for how long
   */
  Charges(@Nullable TenantHoldings owner, Tenants tenants, LongSupplier ownedMillis, Heir heir) {
    this.owner = owner;
    this.tenants = tenants;
    this.ownedMillis = ownedMillis;
    this.heir = heir;
  }

  /** Those of entries that count for nobody. */
  static Charges none() {
    return new Charges(
        null,
        new Tenants() {
          @Override
          public boolean areCharged() {
            return false;
          }

          @Override
          public int changes() {
            return 0;
          }

          @Override
          public @Nullable TenantHoldings usage(int number) {
            return null;
          }
        },
        () -> 0,
        (number, byteMillis, spilledByteMillis) -> {});
  }

  /** Has records count with their bytes alone: pages are no entries of anybody's. */
  Charges ofBytes() {
    countsEntries = false;
    return this;
  }

  /** A record with a number has come, or is going. Has to be settled. */
  void counted(long record, int sign) {
    int number = Records.tenant(record);
    Sum sum = last;
    if (sum == null || sum.number != number) {
      settleLast();
      sum = sumOf(number);
      last = sum;
    }
    sum.bytes += (long) sign * Records.bytes(record);
    sum.entries += countsEntries ? sign : 0;
    if (Records.isSpilled(record)) {
      sum.spilled += (long) sign * Records.valueLength(record);
    }
  }

  /**
   * Returns whether there is, or was, a record with a tenant's number. Any thread may call this;
   * the answer may be slightly out of date.
   */
  boolean hasNumbers() {
    return used > 0;
  }

  /** Tells everybody what they have, of so much as there is now in memory and on the disk. */
  void settle(long nowBytes, long nowEntries, long nowSpilled) {
    if (used > 0) {
      settleLast();
      if (tenants.changes() != seen) {
        resolve();
      }
    }
    long moreBytes = nowBytes - othersBytes - own.bytes();
    long moreEntries = countsEntries ? nowEntries - othersEntries - ownEntries : 0;
    long moreSpilled = nowSpilled - othersSpilled - own.spilled();
    if ((moreBytes | moreEntries | moreSpilled) != 0) {
      own.change(moreBytes, moreSpilled, ownedMillis.getAsLong());
      ownEntries += moreEntries;
      if (owner != null) {
        owner.add(moreBytes, moreEntries);
      }
    }
  }

  /** Hands over what was held until now and was not handed over before. Once it is settled. */
  void handOver() {
    long now = ownedMillis.getAsLong();
    own.handOver(Writers.OWNER, now, heir);
    for (Sum sum : sums) {
      if (sum != null) {
        sum.told.handOver(sum.number, now, heir);
      }
    }
  }

  /** Visits the numbers of which sums count for others than the owner. */
  void forEachOther(IntConsumer visitor) {
    for (Sum sum : sums) {
      if (sum != null && sum.usage != null) {
        visitor.accept(sum.number);
      }
    }
  }

  private void settleLast() {
    Sum sum = last;
    if (sum != null) {
      tell(sum, sum.bytes, sum.entries, sum.spilled);
    }
  }

  private void tell(Sum sum, long bytes, long entries, long spilled) {
    long moreBytes = bytes - sum.told.bytes();
    long moreEntries = entries - sum.toldEntries;
    long moreSpilled = spilled - sum.told.spilled();
    if (sum.usage != null && (moreBytes | moreEntries | moreSpilled) != 0) {
      sum.usage.add(moreBytes, moreEntries);
      sum.told.change(moreBytes, moreSpilled, ownedMillis.getAsLong());
      sum.toldEntries = entries;
      othersBytes += moreBytes;
      othersEntries += moreEntries;
      othersSpilled += moreSpilled;
    }
  }

  /** Finds out anew for whom each number counts. */
  private void resolve() {
    seen = tenants.changes();
    for (Sum sum : sums) {
      if (sum != null) {
        TenantHoldings next = usage(sum.number);
        if (!isSame(next, sum.usage)) {
          tell(sum, 0, 0, 0);
          sum.usage = next;
          tell(sum, sum.bytes, sum.entries, sum.spilled);
        }
      }
    }
  }

  private @Nullable TenantHoldings usage(int number) {
    TenantHoldings usage = tenants.areCharged() ? tenants.usage(number) : null;
    return isSame(usage, owner) ? null : usage;
  }

  @SuppressWarnings("ReferenceEquality") // a tenant has one
  private static boolean isSame(@Nullable TenantHoldings one, @Nullable TenantHoldings other) {
    return one == other;
  }

  private Sum sumOf(int number) {
    Sum known = sums[slot(number)];
    if (known != null) {
      return known;
    }
    if (2 * (used + 1) > sums.length) {
      rebuild();
    }
    if (used == 0) {
      seen = tenants.changes();
    }
    Sum sum = new Sum(number);
    sum.usage = usage(number);
    put(sum);
    return sum;
  }

  private void put(Sum sum) {
    sums[slot(sum.number)] = sum;
    used++;
  }

  /** The slot that has a number, or else where it belongs. */
  private int slot(int number) {
    int mask = sums.length - 1;
    int slot = (number ^ number >>> 8) & mask;
    for (Sum there = sums[slot]; there != null && there.number != number; there = sums[slot]) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Makes room, and drops what has become nothing. */
  private void rebuild() {
    List<Sum> kept = new ArrayList<>(used);
    for (Sum sum : sums) {
      if (sum != null && !sum.isNothing()) {
        kept.add(sum);
      }
    }
    sums = new Sum[Math.max(FEWEST_SLOTS, Integer.highestOneBit(kept.size() + 1) << 2)];
    used = 0;
    kept.forEach(this::put);
  }
}
