package io.keyvalueserve.maps.query;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.MemberSerialization;
import com.hazelcast.internal.util.Clock;
import io.keyvalueserve.maps.ScannedMap;
import io.keyvalueserve.maps.ScannedPartition;
import io.keyvalueserve.store.Lookahead;
import io.keyvalueserve.store.Records;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One slice of a scan, within a guard. It works in chunks: finds records, asks whether they are the
 * owner's, and then has them visited. Records never change, so what is visited is what was found.
 * Used by one thread, once.
 */
final class ScanRun {
  private static final int MOST_VOID = 3;

  /** The records that take as long to look at as a partition does to open, about. */
  private static final int COST_OF_OPENING = 4;

  /** The number of records that are brought near together: a few kilobytes of them. */
  private static final int AT_ONCE = 32;

  /** The number of records after which the clock is read. */
  private static final int CLOCK_EVERY = 64;

  /** Stands for the order behind all; nothing else goes on at the first one. */
  private static final long END = ScanPosition.BEGIN;

  private final ScannedMap map;
  private final RowTest test;
  private final RowVisitor visitor;
  private final long deadline;
  private final RowView row;
  private final RecordList records;
  private final Lookahead lookahead = new Lookahead();
  private @Nullable FoundHashes found;
  private boolean stopped;
  private boolean over;
  private int unclocked;

  /**
   * @param fast leaves to {@code test} what it cannot tell
   * @param deadline of {@link System#nanoTime}
   */
  ScanRun(
      ScannedMap map,
      FastTest fast,
      RowTest test,
      Schemas schemas,
      List<FieldReader> fields,
      RowVisitor visitor,
      long deadline) {
    this.map = map;
    this.test = test;
    this.visitor = visitor;
    this.deadline = deadline;
    this.row =
        new RowView(
            map.container(), MemberSerialization.lenient(map.serialization()), schemas, fields);
    this.records = new RecordList(fast, row.scratch());
  }

  /**
   * Visits the entry of a key if it meets the condition.
   *
   * @return the key's partition if it cannot be read now, else -1
   */
  int visitKey(Data key) {
    int number = map.partitionOf(key);
    visitor.examined(1);
    int guard = map.enter();
    try {
      for (int tries = 0; tries < MOST_VOID; tries++) {
        ScannedPartition partition = map.open(number);
        if (partition == null) {
          return number;
        }
        long record = partition.find(key);
        if (partition.isStill()) {
          if (record != 0
              && !(Records.expires(record)
                  && ScannedPartition.hasExpired(record, Clock.currentTimeMillis()))
              && test.test(row.moveTo(partition, record))) {
            boolean _ = visitor.visit(row);
          }
          return -1;
        }
      }
    } finally {
      map.exit(guard);
    }
    return number;
  }

  /**
   * Moves a position on.
   *
   * @param hashes of the keys that are to be looked at, where they cover a partition; null for all
   */
  void run(ScanPosition.Draft position, @Nullable FoundHashes hashes) {
    found = hashes;
    if (hashes != null) {
      passEmpty(position, hashes);
    }
    int guard = map.enter();
    try {
      for (int p = position.next(0); p >= 0; p = position.next(p + 1)) {
        read(p, position);
        if (stopped || isOver(COST_OF_OPENING)) {
          break;
        }
      }
    } finally {
      map.exit(guard);
    }
  }

  /** Finishes the partitions in which there is no key to look at, all at once. */
  private void passEmpty(ScanPosition.Draft position, FoundHashes hashes) {
    int stamp = map.stamp();
    BitSet empty = new BitSet();
    for (int p = position.next(0); p >= 0; p = position.next(p + 1)) {
      if (hashes.covers(p) && hashes.isEmpty(p) && map.isReadable(p)) {
        empty.set(p);
      }
    }
    if (map.isStill(stamp)) {
      for (int p = empty.nextSetBit(0); p >= 0; p = empty.nextSetBit(p + 1)) {
        position.finish(p);
      }
    }
  }

  /** Returns whether the slice's time is over, as far as the clock was read. */
  private boolean isOver(int records) {
    unclocked += records;
    if (unclocked >= CLOCK_EVERY) {
      unclocked = 0;
      over |= System.nanoTime() - deadline >= 0;
    }
    return over;
  }

  private void read(int number, ScanPosition.Draft position) {
    for (int voided = 0; voided < MOST_VOID; voided++) {
      ScannedPartition partition = map.open(number);
      if (partition == null) {
        break;
      }
      if (partition.isEmpty() ? isStillEmpty(partition, position) : chunks(partition, position)) {
        return;
      }
    }
    position.markUnreachable(number);
  }

  private static boolean isStillEmpty(ScannedPartition partition, ScanPosition.Draft position) {
    if (!partition.isStill()) {
      return false;
    }
    position.finish(partition.number());
    return true;
  }

  /**
   * Reads a partition until it or the slice is done.
   *
   * @return false if what was found last may not have been the owner's; it was not visited
   */
  private boolean chunks(ScannedPartition partition, ScanPosition.Draft position) {
    do {
      if (!chunk(partition, position)) {
        return false;
      }
    } while (!stopped && position.isOpen(partition.number()) && !isOver(records.seen()));
    return true;
  }

  private boolean chunk(ScannedPartition partition, ScanPosition.Draft position) {
    int number = partition.number();
    FoundHashes known = found;
    long first = position.order(number);
    long next =
        known != null && known.covers(number)
            ? findKnown(partition, known, first)
            : find(partition, first);
    if (!partition.isStill()) {
      return false;
    }
    visitor.examined(records.seen());
    records.sort(partition);
    for (int i = 0; i < records.count(); i++) {
      row.moveTo(partition, records.record(i));
      if ((records.isSure(i) || test.test(row)) && !visitor.visit(row)) {
        stopped = true;
        position.moveBehind(number, records.order(i));
        return true;
      }
    }
    if (next == END) {
      position.finish(number);
    } else {
      position.moveTo(number, next);
    }
    return true;
  }

  /** Finds the records of some keys; returns the order of the next one. */
  private long findKnown(ScannedPartition partition, FoundHashes known, long first) {
    records.begin();
    int at = known.begin(partition.number(), first);
    int end = known.end(partition.number());
    while (at < end && !records.isFull()) {
      int several = Math.min(end, at + Lookahead.MOST_KEYS);
      for (int i = at; i < several; i++) {
        partition.anticipate(lookahead, known.hash(i));
      }
      lookahead.fetch();
      for (; at < several; at++) {
        long record = partition.find(known.hash(at));
        if (record != 0) {
          records.visit(record);
        }
      }
    }
    return at == end ? END : known.order(at);
  }

  /** Finds the records of some buckets; returns the least order of those that follow. */
  private long find(ScannedPartition partition, long first) {
    records.begin();
    long cursor = ScanPosition.cursorOf(first);
    if (ScanPosition.atCursor(cursor) != first) { // in the middle of one position
      cursor = partition.scan(cursor, 1, records);
      records.keepFrom(first, partition);
    }
    while (cursor != ScannedPartition.END && !records.isFull()) {
      cursor = partition.scan(cursor, AT_ONCE, records);
    }
    return cursor == ScannedPartition.END ? END : ScanPosition.atCursor(cursor);
  }
}
