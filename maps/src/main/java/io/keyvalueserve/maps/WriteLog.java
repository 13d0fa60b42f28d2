package io.keyvalueserve.maps;

import io.keyvalueserve.store.Records;
import io.keyvalueserve.store.Table;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of a partition's entries to their log. Decides when the log is told of a record,
 * when it may forget the one before, and which answers wait for it. Used by the writer.
 */
final class WriteLog {
  private final EntryLog log;
  private final PartitionLock lock;

  /**
   * True if records are logged as the map's settings demand at present, and this has been checked.
   */
  private boolean settled;

  /** The draft of the record that is written next. */
  private EntryLog.@Nullable Draft draft;

  WriteLog(EntryLog log, PartitionLock lock) {
    this.log = log;
    this.lock = lock;
  }

  /** Returns whether writes are logged. */
  boolean isOn() {
    return log.keepsRecords();
  }

  /** Sets whether writes into a table are logged from now on. */
  void turn(boolean on, Table table) {
    settled = true;
    log.keepRecords(on);
    table.setLogged(on);
  }

  /**
   * Checks, before the first write, whether the entries should be logged. The entries may have been
   * made without the partition's lock, so that a change of the setting missed them.
   */
  void settle(Table table) {
    if (!settled) {
      boolean wanted = log.isWanted();
      if (wanted != log.keepsRecords()) {
        turn(wanted, table);
      }
      settled = true;
    }
  }

  /** Checks that the log takes a write. To be called before anything is changed. */
  void admit(Table table) {
    settle(table);
    log.admit();
  }

  /** Checks, before a record is removed, that the log takes the removal. */
  void admitRemoval(Table table) {
    settle(table);
    log.admitRemoval();
  }

  /** Checks, before all records are removed, that the log takes the removal. */
  void admitClearing(Table table) {
    settle(table);
    log.admitClearing();
  }

  /** A logged record left the table: what replaces it, if anything does, is in the log. */
  void left(long position, int bytes) {
    log.left(position, bytes);
  }

  /**
   * A record is about to take its place in the table.
   *
   * @throws LogRefusedException if the log does not take it: then it must not
   */
  void arriving(long record) {
    if (log.keepsRecords()) {
      append(record);
    }
  }

  /**
   * A record was changed where it is. Returns it.
   *
   * @throws LogRefusedException if the log does not take it: then it must be changed back
   */
  long changed(long record) {
    if (log.keepsRecords()) {
      long before = Records.logPosition(record);
      append(record);
      if (before != 0) {
        log.left(before, Records.bytesWithValue(record));
      }
    }
    return record;
  }

  /** A record is about to be removed. */
  void removing(long record) {
    hold(log.removing(record));
  }

  /** All records are about to be removed. */
  void clearing() {
    hold(log.clearing());
  }

  /** The next record that is logged was drafted; null for none. */
  void next(EntryLog.@Nullable Draft drafted) {
    draft = drafted;
  }

  private void append(long record) {
    long position = draft == null ? log.written(record) : log.written(record, draft);
    Records.setLogPosition(record, position);
    hold(position);
  }

  private void hold(long position) {
    lock.appended(position);
    if (log.holdsAnswers()) {
      lock.holdUntilCertain(position);
    }
  }
}
