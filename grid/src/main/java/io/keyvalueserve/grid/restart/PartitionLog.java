package io.keyvalueserve.grid.restart;

import io.keyvalueserve.journal.Journal;
import io.keyvalueserve.journal.JournalException;
import io.keyvalueserve.journal.PayloadDraft;
import io.keyvalueserve.maps.EntryLog;
import io.keyvalueserve.maps.LogRefusedException;
import io.keyvalueserve.maps.LogUnreadableException;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Records;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/**
 * The log of a map's partition: a record's image goes into the journal as it is in memory, unless
 * the map is not to outlive its members.
 */
final class PartitionLog implements EntryLog {
  /** The number of the format of a record's image in the journal. */
  static final int FORMAT = 1;

  private static final int UNKNOWN = -1;

  private final MemberLog member;
  private final MapDurability.Setting durability;
  private final String map;
  private final int partition;
  private final LongAdder appended;
  private int number = UNKNOWN;
  private volatile boolean keeps;

  /**
   * @param appended counts the bytes that are appended while the member owns the partition
   */
  PartitionLog(
      MemberLog member,
      MapDurability.Setting durability,
      String map,
      int partition,
      LongAdder appended) {
    this.member = member;
    this.appended = appended;
    this.durability = durability;
    this.map = map;
    this.partition = partition;
    this.keeps = isWanted();
  }

  @Override
  public boolean keepsRecords() {
    return keeps;
  }

  @Override
  public boolean isWanted() {
    return durability.now() != Durability.NONE;
  }

  @Override
  public void keepRecords(boolean keep) {
    keeps = keep;
  }

  @Override
  public boolean holdsAnswers() {
    return keeps && durability.now() == Durability.ALWAYS;
  }

  @Override
  public boolean hasRoom(int bytes) {
    return !keeps || member.hasRoom(partition, bytes);
  }

  @Override
  public boolean takesAtOnce(int bytes, boolean answerWaits) {
    return hasRoom(bytes) && (!holdsAnswers() || (answerWaits && member.isTold(partition)));
  }

  @Override
  public void admit() {
    if (keeps) {
      member.admit();
    }
  }

  @Override
  public void admitRemoval() {
    if (keeps) {
      member.admitRemoval(member.journal().takesRemove(partition));
    }
  }

  @Override
  public void admitClearing() {
    if (keeps) {
      member.admitRemoval(member.journal().takesEnd(partition));
    }
  }

  @Override
  public long written(long record) {
    long position = writtenAnew(record);
    count(Records.bytes(record));
    return position;
  }

  @Override
  public long writtenAnew(long record) {
    Journal journal = journal();
    try {
      return journal.put(
          partition,
          number,
          expiry(record),
          Records.keyForm(record),
          record,
          Records.bytes(record),
          Records.keyOffset(record),
          Records.keyLength(record));
    } catch (JournalException e) {
      throw refused(e);
    }
  }

  @Override
  public boolean isDrafted(int bytes) {
    return keeps && member.isFile(bytes);
  }

  @Override
  public Draft draft(long record) {
    try {
      return new Drafted(member.journal().draft(record, Records.bytes(record)));
    } catch (JournalException e) {
      throw refused(e);
    }
  }

  @Override
  public long written(long record, Draft draft) {
    if (!(draft instanceof Drafted drafted)) {
      throw new IllegalArgumentException("the draft is not one of a journal");
    }
    Journal journal = journal();
    try {
      long position =
          journal.put(
              partition,
              number,
              expiry(record),
              Records.keyForm(record),
              record,
              Records.keyOffset(record),
              Records.keyLength(record),
              drafted.payload);
      count(drafted.payload.bytes());
      return position;
    } catch (JournalException e) {
      throw refused(e);
    }
  }

  private record Drafted(PayloadDraft payload) implements Draft {
    @Override
    public void discard() {
      payload.discard();
    }

    @Override
    public boolean isOver() {
      return payload.isOver();
    }
  }

  /** Each record counts once: where its owner appends it, and not where its backups do. */
  private void count(int payloadBytes) {
    if (member.owns(partition)) {
      appended.add(Journal.bytesOf(payloadBytes));
    }
  }

  /**
   * Returns the time when a record is gone after a restart without any statement in the log; 0 for
   * never. The log does not know when an entry was used that lives longer when it is used. The end
   * of such an entry is logged.
   */
  private static long expiry(long record) {
    long expiresAt = Records.expiresAt(record);
    return expiresAt == Attributes.NEVER || Records.maxIdle(record) != Attributes.NEVER
        ? 0
        : expiresAt;
  }

  @Override
  public long removing(long record) {
    Journal journal = journal();
    try {
      int bytes = Records.keyLength(record);
      long position =
          journal.remove(
              partition, number, Records.keyForm(record), Records.keyAddress(record), bytes);
      count(bytes);
      return position;
    } catch (JournalException e) {
      throw refused(e);
    }
  }

  @Override
  public long clearing() {
    if (!keeps) {
      return 0;
    }
    long position = forget();
    count(0);
    return position;
  }

  @Override
  public long forget() {
    Journal journal = journal();
    try {
      return journal.clear(partition, number);
    } catch (JournalException e) {
      throw refused(e);
    }
  }

  @Override
  public void left(long position, int bytes) {
    member.dead(position, bytes);
  }

  @Override
  public void requireReading() {
    member.requireReading();
  }

  @Override
  public void read(long position, int bytes, Image to) {
    try {
      boolean there =
          journal()
              .read(position, bytes, frame -> to.at(frame.payloadAddress(), frame.payloadBytes()));
      if (!there) {
        throw new LogUnreadableException("the restart log has not written the record yet");
      }
    } catch (IOException e) {
      throw new LogUnreadableException(
          "a record of the restart log cannot be read: " + e.getMessage());
    }
  }

  private static LogRefusedException refused(JournalException e) {
    return new LogRefusedException("the restart log did not take the write: " + e.getMessage());
  }

  private Journal journal() {
    Journal journal = member.journal();
    if (number == UNKNOWN) {
      number = journal.map(map);
    }
    return journal;
  }
}
