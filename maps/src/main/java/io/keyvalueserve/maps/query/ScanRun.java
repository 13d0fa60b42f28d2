package io.keyvalueserve.maps.query;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.MemberSerialization;
import com.hazelcast.internal.util.Clock;
import io.keyvalueserve.maps.NativeMapContainer;
import io.keyvalueserve.maps.ScannedMap;
import io.keyvalueserve.maps.ScannedPartition;
import io.keyvalueserve.store.Records;
import java.util.List;

/**
 * One slice of a scan. It works in chunks: finds records within a guard, asks whether they are the
 * owner's, and then has them visited, still within the guard. Records never change, so what is
 * visited is what was found. For one thread, once.
 */
final class ScanRun {
  private static final int CHUNK = 128;
  private static final int MOST_VOID = 3;

  private final ScannedMap map;
  private final RowTest test;
  private final RowVisitor visitor;
  private final long deadline;
  private final RowView row;
  private final RecordList records = new RecordList();
  private boolean stopped;

  ScanRun(
      ScannedMap map, RowTest test, List<FieldReader> fields, RowVisitor visitor, long deadline) {
    this.map = map;
    this.test = test;
    this.visitor = visitor;
    this.deadline = deadline;
    NativeMapContainer container = map.container();
    this.row =
        new RowView(
            container,
            MemberSerialization.lenient(
                (InternalSerializationService)
                    container.getMapServiceContext().getNodeEngine().getSerializationService()),
            fields);
  }

  /**
   * Visits the entry of a key if it meets the condition.
   *
   * @return the key's partition if it cannot be read now, else -1
   */
  int visitKey(Data key) {
    int number = map.partitionOf(key);
    visitor.examined(1);
    for (int tries = 0; tries < MOST_VOID; tries++) {
      ScannedPartition partition = map.open(number);
      if (partition == null) {
        return number;
      }
      int guard = partition.enter();
      try {
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
      } finally {
        partition.exit(guard);
      }
    }
    return number;
  }

  ScanPosition run(ScanPosition from) {
    ScanPosition.Draft position = from.draft();
    for (int p = position.next(0); p >= 0; p = position.next(p + 1)) {
      read(p, position);
      if (stopped || System.nanoTime() - deadline >= 0) {
        break;
      }
    }
    return position.done();
  }

  private void read(int number, ScanPosition.Draft position) {
    int voided = 0;
    while (!stopped) {
      ScannedPartition partition = map.open(number);
      if (partition == null || voided == MOST_VOID) {
        position.markUnreachable(number);
        return;
      }
      Outcome outcome = chunks(partition, position);
      if (outcome == Outcome.VOID) {
        voided++;
      } else {
        return;
      }
    }
  }

  private enum Outcome {
    /** The partition is done, or the slice is over. */
    DONE,
    /** What was found may not have been the owner's, and was not visited. */
    VOID
  }

  private Outcome chunks(ScannedPartition partition, ScanPosition.Draft position) {
    int number = partition.number();
    if (partition.isEmpty()) {
      if (!partition.isStill()) {
        return Outcome.VOID;
      }
      position.finish(number);
      return Outcome.DONE;
    }
    do {
      long first = position.order(number);
      int guard = partition.enter();
      try {
        long next = find(partition, first);
        if (!partition.isStill()) {
          return Outcome.VOID;
        }
        long stoppedBehind = visit(partition);
        if (stopped) {
          moveBehind(stoppedBehind, number, position);
          return Outcome.DONE;
        }
        if (next == ScannedPartition.END) {
          position.finish(number);
          return Outcome.DONE;
        }
        position.moveTo(number, ScanPosition.atCursor(next));
      } finally {
        partition.exit(guard);
      }
    } while (System.nanoTime() - deadline < 0);
    return Outcome.DONE;
  }

  private static void moveBehind(long order, int number, ScanPosition.Draft position) {
    if (order == -1) {
      position.finish(number); // it is the last that there can be
    } else {
      position.moveTo(number, order + 1);
    }
  }

  /** Finds the records of some buckets; returns the cursor behind them. */
  private long find(ScannedPartition partition, long first) {
    records.clear();
    long cursor = ScanPosition.cursorOf(first);
    long begin = ScanPosition.atCursor(cursor);
    while (cursor != ScannedPartition.END && records.count() < CHUNK) {
      cursor = partition.scan(cursor, records);
      if (begin != first) { // in the middle of one position
        records.keepFrom(first, partition);
        begin = first;
      }
    }
    return cursor;
  }

  /** Visits the records that meet the condition; returns the order of the last if it stopped. */
  private long visit(ScannedPartition partition) {
    long now = Clock.currentTimeMillis();
    records.sort(partition);
    visitor.examined(records.count());
    for (int i = 0; i < records.count(); i++) {
      long record = records.record(i);
      if (Records.expires(record) && ScannedPartition.hasExpired(record, now)) {
        continue;
      }
      if (test.test(row.moveTo(partition, record)) && !visitor.visit(row)) {
        stopped = true;
        return records.order(i);
      }
    }
    return 0;
  }
}
