package io.keyvalueserve.gates.admission;

import io.keyvalueserve.gates.heap.HeapAccount;
import io.keyvalueserve.tenancy.Limit;
import io.keyvalueserve.tenancy.Quota;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The memory, entries, maps, connections and locks that one tenant keeps. They are counted on this
 * member and heard from the others. The class decides whether the tenant may keep more.
 *
 * <p>Members tell each other what they have every tenth of a second or so. Growth since then is
 * estimated: the others are taken to grow as this member does, as keys are spread evenly. A limit
 * therefore holds exactly if there is one member. With more members it may be missed by the error
 * of that estimate.
 *
 * <p>Entries and bytes are counted with all their copies, and divided by how many copies there are.
 *
 * <p>Thread-safe; never blocks.
 */
public final class TenantHoldings {
  private static final long RESERVED_NANOS = 1_000_000_000L;

  /** A tenant whose memory is being reclaimed may pass its limit by this part of it. */
  private static final int SLACK_PART = 16;

  private static final long LEAST_SLACK_BYTES = 1 << 20;

  private final LongAdder bytes = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final Set<String> maps = ConcurrentHashMap.newKeySet();

  /** Maps that were let in and may not have been made yet: until when they count. */
  private final ConcurrentHashMap<String, Long> reserved = new ConcurrentHashMap<>();

  private final AtomicLong locksSince = new AtomicLong();
  private final AtomicBoolean locking;
  private final HeapAccount heap;
  private volatile Quota quota = Quota.USUAL;
  private volatile Most most = Most.OF_ALL;
  private volatile Heard heard = Heard.NOTHING;
  private volatile boolean stuck;
  private volatile long keptBytesHere;
  private volatile boolean held;

  /**
   * The figures that other members reported, and this member's figures at that time.
   *
   * @param bytes of the others
   * @param entries of the others
   * @param connections of the others
   * @param locks of all members
   * @param maps of the others: hashes of their names
   * @param ownBytes this member's when it last told the others
   * @param ownEntries as {@code ownBytes}
   * @param members how many there are
   * @param copies how many of each entry there are
   */
  record Heard(
      long bytes,
      long entries,
      long connections,
      long locks,
      Set<Long> maps,
      long ownBytes,
      long ownEntries,
      int members,
      int copies) {
    static final Heard NOTHING = new Heard(0, 0, 0, 0, Set.of(), 0, 0, 1, 1);
  }

  /** The limits that writes are checked against, precomputed. */
  private record Most(long valueBytes, long entries, long bytes) {
    static final Most OF_ALL = new Most(Quota.UNLIMITED, Quota.UNLIMITED, Quota.UNLIMITED);
  }

  /**
   * @param locking set when a lock is let in
   * @param heap what it makes members keep on their Java heap
   */
  TenantHoldings(AtomicBoolean locking, HeapAccount heap) {
    this.locking = locking;
    this.heap = heap;
  }

  void setQuota(Quota next) {
    quota = next;
    heap.setWeight(next.of(Limit.WEIGHT));
    Most limits = new Most(next.of(Limit.VALUE), next.of(Limit.ENTRIES), next.of(Limit.MEMORY));
    most = limits.equals(Most.OF_ALL) ? Most.OF_ALL : limits;
  }

  /** Locks that were let in and not given back since locks were counted. */
  long locksSince() {
    return locksSince.get();
  }

  /**
   * Nobody has anything to tell.
   *
   * @param counted what {@link #locksSince} was before locks were counted
   */
  void hearNothing(long counted) {
    if (!heard.equals(Heard.NOTHING)) {
      heard = Heard.NOTHING;
    }
    forget(counted);
  }

  /**
   * Takes in what members have told.
   *
   * @param counted as in {@link #hearNothing}
   */
  void setHeard(Heard next, long counted) {
    heard = next;
    forget(counted);
  }

  private void forget(long counted) {
    if (counted != 0) {
      locksSince.addAndGet(-counted);
    }
  }

  // ---- what is here

  /** Adds to what is here, copies of others' entries included. */
  public void add(long moreBytes, long moreEntries) {
    bytes.add(moreBytes);
    if (moreEntries != 0) {
      entries.add(moreEntries);
    }
  }

  /** A map has been made here. */
  public void mapMade(String name) {
    maps.add(name);
    reserved.remove(name);
  }

  /** A map is here no longer. */
  public void mapGone(String name) {
    maps.remove(name);
  }

  /** Bytes of maps that are here, with those of backups. */
  public long bytesHere() {
    return bytes.sum();
  }

  /** Bytes that are here, of maps and of all else that a member keeps, with those of backups. */
  public long allBytesHere() {
    return bytes.sum() + heap.measuredHere();
  }

  /** Returns the account of what the tenant makes members keep on their Java heap. */
  public HeapAccount heap() {
    return heap;
  }

  /** Entries that are here, with those of backups. */
  public long entriesHere() {
    return entries.sum();
  }

  /** The names of the maps that are here. */
  Set<String> mapsHere() {
    return maps;
  }

  // ---- what may be

  /**
   * Returns whether a value may be written. Checks the size of the value, and whether the tenant
   * has room for more. The same value again counts as more.
   */
  @SuppressWarnings("ReferenceEquality") // there is one that limits nothing
  public boolean mayWrite(int valueBytes) {
    Most limits = most;
    return limits == Most.OF_ALL || refusedBy(valueBytes, limits, true) == null;
  }

  /**
   * Returns why {@link #mayWrite} refuses a value, in words for the tenant, or null if it does not.
   */
  public @Nullable String refusal(int valueBytes) {
    return refusal(valueBytes, false);
  }

  /**
   * Does the same as {@link #refusal(int)} for a map that may give up memory.
   *
   * @param reclaimed whether the map gives up memory when there is too much: then the tenant may
   *     pass its limit a little, as long as that is done
   */
  public @Nullable String refusal(int valueBytes, boolean reclaimed) {
    return refusal(valueBytes, reclaimed, true);
  }

  /**
   * Returns why a page of a large collection may not be written, in words for the tenant; null if
   * it may be. Pages are no entries.
   *
   * @param reclaimed as in {@link #refusal(int, boolean)}
   */
  public @Nullable String refusalOfPage(int valueBytes, boolean reclaimed) {
    return refusal(valueBytes, reclaimed, false);
  }

  private @Nullable String refusal(int valueBytes, boolean reclaimed, boolean isEntry) {
    Limit limit = refusedBy(valueBytes, most, isEntry);
    if (limit == Limit.MEMORY && reclaimed && !stuck && overBytes() < slackBytes()) {
      return null;
    }
    Quota holds = quota;
    return limit == null
        ? null
        : switch (limit) {
          case VALUE ->
              "the value has "
                  + valueBytes
                  + " bytes, and the tenant's values up to "
                  + holds.of(Limit.VALUE);
          case ENTRIES -> used(holds.of(Limit.ENTRIES) + " entries");
          default -> used(holds.of(Limit.MEMORY) + " bytes of memory");
        };
  }

  /**
   * Returns why entries that are written together may not be written, in words for the tenant; null
   * if they may be. Written one after the other they would be refused at the last of them at least.
   *
   * @param moreBytes how many bytes there are more before the last one is written
   * @param moreEntries how many entries there are more before the last one is written
   */
  public @Nullable String refusalOfGrowth(long moreBytes, long moreEntries) {
    Most limits = most;
    Heard last = heard;
    if (moreEntries > 0
        && limits.entries() != Quota.UNLIMITED
        && estimate(entries.sum(), last.ownEntries(), last.entries(), last) + moreEntries
            >= limits.entries()) {
      return used(limits.entries() + " entries");
    }
    return moreBytes > 0
            && limits.bytes() != Quota.UNLIMITED
            && bytes() + moreBytes >= limits.bytes()
        ? used(limits.bytes() + " bytes of memory")
        : null;
  }

  /**
   * Returns why an element of a queue, list, set, multimap, ring buffer or replicated map may not
   * be written, in words for the tenant; null if it may be. Elements are no entries.
   *
   * @param valueBytes of the longest value
   */
  public @Nullable String refusalOfElement(int valueBytes) {
    Most limits = most;
    if (valueBytes > limits.valueBytes()) {
      return refusal(valueBytes);
    }
    return isMemoryUsed(limits) ? used(limits.bytes() + " bytes of memory") : null;
  }

  private static String used(String what) {
    return "the tenant's "
        + what
        + " are used up, nothing was changed; remove entries or have the quota raised";
  }

  private @Nullable Limit refusedBy(int valueBytes, Most limits, boolean isEntry) {
    if (valueBytes > limits.valueBytes()) {
      return Limit.VALUE;
    }
    Heard last = heard;
    if (isEntry
        && limits.entries() != Quota.UNLIMITED
        && estimate(entries.sum(), last.ownEntries(), last.entries(), last) >= limits.entries()) {
      return Limit.ENTRIES;
    }
    return isMemoryUsed(limits) ? Limit.MEMORY : null;
  }

  private boolean isMemoryUsed(Most limits) {
    return limits.bytes() != Quota.UNLIMITED && bytes() >= limits.bytes();
  }

  /**
   * Returns about how many bytes the tenant keeps on all members, without copies: what the limit of
   * its memory is held against.
   */
  public long bytes() {
    Heard last = heard;
    return estimate(allBytesHere(), last.ownBytes(), last.bytes(), last);
  }

  private static long estimate(long here, long hereThen, long elsewhere, Heard last) {
    long grown = Math.max(0, here - hereThen);
    return (here + elsewhere + grown * (last.members() - 1)) / last.copies();
  }

  /** No memory can be taken from the tenant at present, or it can. */
  public void setStuck(boolean next) {
    stuck = next;
  }

  /** Sets whether the tenant's writes are delayed because memory is short. */
  public void setHeld(boolean next) {
    held = next;
  }

  /**
   * Returns whether the tenant's writes are delayed because memory is short and this tenant is
   * among those that make it short.
   */
  public boolean isHeld() {
    return held;
  }

  /**
   * Returns whether writes to maps that give up memory wait until some of the tenant's memory has
   * been reclaimed.
   */
  public boolean mustWait() {
    return !stuck && overBytes() >= slackBytes() / 2;
  }

  /**
   * Returns the part of the tenant's memory limit that maps may use on this member. The limit is
   * divided among the members in proportion to what each holds of the tenant's memory now.
   *
   * @return in bytes; {@link Long#MAX_VALUE} if it has no limit
   */
  public long mostBytesHere() {
    long most = quota.of(Limit.MEMORY);
    if (most == Quota.UNLIMITED) {
      return Long.MAX_VALUE;
    }
    Heard last = heard;
    long here = allBytesHere();
    double part = here <= 0 ? 1 : (double) here / (here + last.bytes());
    double bytesHere = Math.min(Long.MAX_VALUE, (double) most * last.copies() * part);
    return Math.max(0, (long) bytesHere - heap.measuredHere()); // no map's bytes
  }

  /**
   * Says how much memory of this member, copies included, is not taken from the tenant for others.
   *
   * @param next in bytes: 0 or more
   */
  public void setKeptBytesHere(long next) {
    keptBytesHere = next;
  }

  /** See {@link #setKeptBytesHere}. */
  public long keptBytesHere() {
    return keptBytesHere;
  }

  private long overBytes() {
    Heard last = heard;
    long limit = most.bytes();
    return limit == Quota.UNLIMITED
        ? Long.MIN_VALUE
        : estimate(allBytesHere(), last.ownBytes(), last.bytes(), last) - limit;
  }

  private long slackBytes() {
    return Math.max(most.bytes() / SLACK_PART, LEAST_SLACK_BYTES);
  }

  /** Returns the number of connections that the tenant may have open on this member. */
  public long mostConnectionsHere() {
    long most = quota.of(Limit.CONNECTIONS);
    return most == Quota.UNLIMITED ? most : Math.max(0, most - heard.connections());
  }

  /** Returns whether the number of maps is limited. */
  public boolean limitsMaps() {
    return quota.of(Limit.MAPS) != Quota.UNLIMITED;
  }

  /**
   * Returns why the tenant may not open more connections than {@link #mostConnectionsHere}, in
   * words.
   */
  public String refusalOfConnection() {
    return "the tenant's "
        + quota.of(Limit.CONNECTIONS)
        + " connections are used up; close some or have the quota raised";
  }

  /**
   * Lets a map be used, if it is there or there may be one more; then it counts for a second, in
   * which it should come into being.
   *
   * @return null if it may; else why not, in words for the tenant
   */
  public @Nullable String refusalOfMap(String name, long nowNanos) {
    long most = quota.of(Limit.MAPS);
    if (most == Quota.UNLIMITED || maps.contains(name)) {
      return null;
    }
    Heard last = heard;
    if (last.maps().contains(hash(name))) {
      return null;
    }
    reserved.values().removeIf(until -> nowNanos - until > 0);
    reserved.put(name, nowNanos + RESERVED_NANOS);
    if (countMaps(last) <= most) {
      return null;
    }
    reserved.remove(name);
    return "the tenant's " + most + " maps are used up; delete one or have the quota raised";
  }

  private int countMaps(Heard last) {
    Set<Long> all = new java.util.HashSet<>(last.maps());
    maps.forEach(name -> all.add(hash(name)));
    reserved.keySet().forEach(name -> all.add(hash(name)));
    return all.size();
  }

  /**
   * Lets a lock be taken, and counts it.
   *
   * @return null if it may be; else why not, in words for the tenant
   */
  public @Nullable String refusalOfLock() {
    long most = quota.of(Limit.LOCKS);
    if (heard.locks() + locksSince.get() >= most) {
      return "the tenant holds its " + most + " locks; release some or have the quota raised";
    }
    locksSince.incrementAndGet();
    if (!locking.get()) { // mostly it is: nobody has to write to what tenants share
      locking.set(true);
    }
    return null;
  }

  /** A lock was released, or it was tried. */
  public void unlocked() {
    locksSince.updateAndGet(count -> Math.max(-heard.locks(), count - 1));
  }

  /** A hash of a map's name, 64 bits, the same on all members (FNV-1a). */
  static long hash(String name) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }
}
