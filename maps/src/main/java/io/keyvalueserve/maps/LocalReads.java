package io.keyvalueserve.maps;

import com.hazelcast.internal.monitor.impl.LocalRecordStoreStatsImpl;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.internal.util.TimeStripUtil;
import io.keyvalueserve.engine.DirectMap.ValueSink;
import io.keyvalueserve.maps.external.ExternalMap;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;

/**
 * Reads of a map's entries on this member by any thread, without a lock: see {@link Ownership} for
 * why they are not stale, and {@link NativeEntries} for why they are not torn.
 */
final class LocalReads {
  /** The part of an entry that a read asks for. */
  enum Part {
    /** The value as it is serialized. */
    DATA,
    /** The bytes of a value that is a string or a byte array. */
    BODY,
    /** The number of these bytes. Does not count as a use. */
    LENGTH,
    /** That it is there. */
    PRESENCE
  }

  private final LocalStores stores;
  private final Ownership ownership;
  private final CoarseClock clock;

  LocalReads(LocalStores stores, Ownership ownership, CoarseClock clock) {
    this.clock = clock;
    this.stores = stores;
    this.ownership = ownership;
  }

  /**
   * Reads a part of an entry, whose key is given as it is kept.
   *
   * @param sink gets it, if it is bytes
   * @return how many bytes it is, 1 if it is no bytes, or what {@link LocalMap} says
   */
  int read(int partition, byte[] key, int offset, int length, int form, Part part, ValueSink sink) {
    int stamp = ownership.stamp();
    NativeRecordStore store = stores.find(partition);
    if (store == null) {
      return nothing(partition, stamp);
    }
    if (!mayRead(store, partition)) {
      return LocalMap.NOT_NOW;
    }
    NativeEntries entries = store.entries();
    int result;
    int guard = entries.enter();
    try {
      long record = entries.find(key, offset, length, form);
      if (record == 0) {
        result = LocalMap.MISSING;
      } else if (part == Part.BODY && Records.valueLength(record) >= sink.leastLent()) {
        result = lend(store, partition, record, key, offset, length, form, sink);
      } else {
        result = part(store, record, part, sink, clock);
      }
    } finally {
      entries.exit(guard);
    }
    if (!ownership.isStill(stamp) || entries.isClosed()) {
      return LocalMap.NOT_NOW;
    }
    ExternalMap external = store.container().external();
    if (external == null) {
      return result;
    }
    if (!isCertain(store, result)) {
      return LocalMap.NOT_NOW;
    }
    if (external.refreshMillis() > 0) {
      store.external().read(key, offset, length, form);
    }
    return result;
  }

  /**
   * Returns whether the external store of a map need not be asked for what was read: it may have
   * what memory has not, or may be about to refuse what memory has.
   */
  private static boolean isCertain(NativeRecordStore store, int result) {
    return result != LocalMap.MISSING && !store.external().isWriting();
  }

  /**
   * Lends a value that would take long to copy, or copies it if the partition is busy. Only its
   * writer can pin it: what a reader has found may have been replaced already.
   */
  private int lend(
      NativeRecordStore store,
      int partition,
      long found,
      byte[] key,
      int offset,
      int length,
      int form,
      ValueSink sink) {
    PartitionLock lock = stores.lock(partition);
    if (!lock.tryEnter()) {
      return part(store, found, Part.BODY, sink, clock);
    }
    try {
      NativeEntries entries = store.entries();
      long record = entries.find(key, offset, length, form);
      if (record == 0) {
        return LocalMap.MISSING;
      }
      int bytes = part(store, record, Part.LENGTH, sink, clock);
      if (bytes < 0) {
        return bytes;
      }
      if (Records.isSpilled(record)) {
        return LocalMap.NOT_NOW;
      }
      sink.lend(new PinnedValue(entries.pin(record), Records.valueAddress(record), bytes));
      touch(store, record, clock.millis());
      return bytes;
    } finally {
      lock.exit();
    }
  }

  /**
   * Returns the time when an entry expires; {@link Attributes#NEVER} if it does not. Does not count
   * as a use.
   */
  long expiry(int partition, byte[] key, int offset, int length, int form) {
    int stamp = ownership.stamp();
    NativeRecordStore store = stores.find(partition);
    if (store == null) {
      return nothing(partition, stamp);
    }
    if (!mayRead(store, partition)) {
      return LocalMap.NOT_NOW;
    }
    NativeEntries entries = store.entries();
    long at;
    int guard = entries.enter();
    try {
      long record = entries.find(key, offset, length, form);
      at = record == 0 ? LocalMap.MISSING : Records.expiresAt(record);
    } finally {
      entries.exit(guard);
    }
    if (at >= 0 && at != Attributes.NEVER && at <= Clock.currentTimeMillis()) {
      at = LocalMap.MISSING;
    }
    return ownership.isStill(stamp)
            && !entries.isClosed()
            && (store.container().external() == null
                || isCertain(store, at == LocalMap.MISSING ? LocalMap.MISSING : 1))
        ? at
        : LocalMap.NOT_NOW;
  }

  /**
   * Lists keys of a partition, in the order of {@link Table#scan}.
   *
   * @param cursor 0, or what this returned
   * @param count after so many records it stops
   * @return where to go on, {@link Table#END}, or {@link LocalMap#NOT_NOW}: then what was listed is
   *     void
   */
  long scan(int partition, long cursor, int count, LocalMap.KeySink sink) {
    int stamp = ownership.stamp();
    NativeRecordStore store = stores.find(partition);
    if (store == null) {
      return nothing(partition, stamp) == LocalMap.MISSING ? Table.END : LocalMap.NOT_NOW;
    }
    NativeEntries entries = store.entries();
    if (entries.isLoading()
        || !store.container().isReadDirectly()
        || !ownership.mayRead(partition)) {
      return LocalMap.NOT_NOW;
    }
    KeyLister lister = new KeyLister(sink);
    long next = cursor;
    int guard = entries.enter();
    try {
      while (next != Table.END
          && lister.visited() < count
          && !lister.declines()
          && !sink.isFull()) {
        next = entries.scan(next, lister);
      }
    } finally {
      entries.exit(guard);
    }
    return lister.declines() || !ownership.isStill(stamp) || entries.isClosed()
        ? LocalMap.NOT_NOW
        : next;
  }

  /** A partition that nobody has written to yet. */
  private int nothing(int partition, int stamp) {
    return ownership.mayRead(partition) && stores.isNothing(partition) && ownership.isStill(stamp)
        ? LocalMap.MISSING
        : LocalMap.NOT_NOW;
  }

  /** Returns whether a read has no side effects and needs nothing but the entries in memory. */
  private boolean mayRead(NativeRecordStore store, int partition) {
    NativeMapContainer container = store.container();
    return !store.entries().isLoading()
        && container.isReadDirectly()
        && !container.isChanging()
        && ownership.mayRead(partition)
        && store.getLockedEntryCount() == 0
        && container.getInterceptorRegistry().getInterceptors().isEmpty();
  }

  /** Reads a part of a record, which must be readable. */
  static int part(
      NativeRecordStore store, long record, Part part, ValueSink sink, CoarseClock clock) {
    if (Records.expires(record)) {
      if (Records.maxIdle(record) != Attributes.NEVER) {
        return LocalMap.NOT_NOW; // a use defers its expiry, which is the writer's to set
      }
      if (Records.expiresAt(record) <= Clock.currentTimeMillis()) {
        return store.isHeard()
            ? LocalMap.NOT_NOW // who is told of it is told by the writer, who removes it
            : LocalMap.MISSING;
      }
    }
    int form = Records.valueForm(record);
    if (form == DataForm.NULL || (form == DataForm.RAW && isPlain(part))) {
      return LocalMap.NOT_NOW;
    }
    if (Records.isSpilled(record) && (part == Part.DATA || part == Part.BODY)) {
      return LocalMap.NOT_NOW; // who reads it waits for the disk
    }
    int bytes = Records.valueLength(record);
    switch (part) {
      case DATA -> {
        int head = DataForm.offset(form);
        byte[] to = sink.room(head + bytes);
        int at = sink.offset();
        DataForm.putHead(to, at, form, bytes);
        Records.copyValue(record, to, at + head);
        bytes += head;
      }
      case BODY -> {
        byte[] to = sink.room(bytes);
        Records.copyValue(record, to, sink.offset());
      }
      case LENGTH -> {
        return bytes;
      }
      case PRESENCE -> bytes = 1;
    }
    touch(store, record, clock.millis());
    return bytes;
  }

  private static boolean isPlain(Part part) {
    return part == Part.BODY || part == Part.LENGTH;
  }

  /** Counts a use, as Hazelcast's reads do. */
  static void touch(NativeRecordStore store, long record, long now) {
    store.entries().touch(record, TimeStripUtil.stripBaseTime(now));
    LocalRecordStoreStatsImpl statistics = store.getLocalRecordStoreStats();
    statistics.setLastAccessTime(now);
    statistics.increaseHits();
  }
}
