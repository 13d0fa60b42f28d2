package io.keyvalueserve.maps;

import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions;
import java.util.function.Consumer;

/**
 * Makes the entries of one partition of a map outlive the member. All methods are called by the
 * partition's writer, around the change that they report, unless their comments say otherwise.
 */
public interface EntryLog {
  /** The log of maps that live only as long as their members. */
  EntryLog NONE = new NoLog();

  /** Takes a record's bytes as it was in memory, which are there during the call. */
  @FunctionalInterface
  interface Image {
    void at(long address, int bytes);
  }

  /** Is told where a log has records, and how many bytes they have. */
  @FunctionalInterface
  interface Place {
    void at(long position, int bytes);
  }

  /** A record that the log has in a file already, and that is not written yet. */
  interface Draft {
    /** Nobody will write it; nothing if it was written. Waits for the disk. */
    void discard();

    /** Returns whether the draft was written or discarded. */
    boolean isOver();
  }

  /** The source of logs, which also knows when they are certain. */
  interface Source extends GuardedPartitions.Certainty {
    /** The source for a member whose maps live only as long as it does. */
    Source NONE =
        new Source() {
          @Override
          public boolean beforeGivingUp(int partition) {
            return true;
          }

          @Override
          public EntryLog of(String map, int partition) {
            return EntryLog.NONE;
          }

          @Override
          public boolean holdsAnswers(String map) {
            return false;
          }

          @Override
          public void whenCertain(
              int partition, long position, Runnable task, Consumer<Exception> failed) {
            task.run();
          }

          @Override
          public UncertainRecords uncertain() {
            return UncertainRecords.NONE;
          }
        };

    /**
     * Called before a partition's entries are given up because another member has them: returns
     * when that would be known after a crash. Blocks; by the partition's thread.
     *
     * @return false if they must not be given up: the member goes down, and it would not be known
     */
    boolean beforeGivingUp(int partition);

    /** The log of a map's partition: whether it keeps records is up to what holds of the map. */
    EntryLog of(String map, int partition);

    /**
     * Returns whether a write to a map is answered only when it is certain that the write cannot be
     * lost.
     */
    boolean holdsAnswers(String map);

    /**
     * Waits until all that was logged before is certain. Blocks.
     *
     * @throws com.hazelcast.core.IndeterminateOperationStateException if that will never be
     */
    default void awaitCertain() throws InterruptedException {}

    /** Returns a new tracker for one thread that waits for records of these logs. */
    UncertainRecords uncertain();
  }

  /** Returns whether records are logged. Logged records have room for their position in the log. */
  boolean keepsRecords();

  /**
   * Returns whether records should be logged, by the map's settings at this moment. Any thread may
   * call this.
   */
  boolean isWanted();

  /** Sets whether records are logged from now on. */
  void keepRecords(boolean keep);

  /**
   * Voids all that the log has of these entries, so that it does not come back after a restart,
   * whether records are logged or not.
   *
   * @return the position of this statement in the log; 0 if there is none
   */
  long forget();

  /**
   * Returns whether a record of {@code bytes} bytes can be logged without waiting. For threads that
   * must not wait; any thread may call this.
   */
  boolean hasRoom(int bytes);

  /**
   * Returns {@link #hasRoom}, and whether the change can also be answered without waiting. Any
   * thread may call this.
   *
   * @param answerWaits whether the caller itself waits until the log is certain before it answers:
   *     then only other reasons to wait count
   */
  boolean takesAtOnce(int bytes, boolean answerWaits);

  /**
   * Asked before anything is changed.
   *
   * @throws LogRefusedException if the log takes nothing; the message says why
   */
  void admit();

  /**
   * Asked in the place of {@link #admit} before an entry is removed: a full disk takes that too.
   *
   * @throws LogRefusedException if the log takes no removal; the message says why
   */
  void admitRemoval();

  /**
   * Asked in the place of {@link #admit} before all entries are removed.
   *
   * @throws LogRefusedException if the log does not take that; the message says why
   */
  void admitClearing();

  /** Returns whether a change is acknowledged only when the log has it for certain. */
  boolean holdsAnswers();

  /**
   * A record is new.
   *
   * @return where it is in the log; 0 if there is none
   */
  long written(long record);

  /** Logs a record again that the log had before and has lost; otherwise like {@link #written}. */
  long writtenAnew(long record);

  /**
   * Returns whether a record of {@code bytes} bytes is so large that the log keeps it in a file of
   * its own. Such a record can be {@linkplain #draft drafted}. Any thread may call this.
   */
  boolean isDrafted(int bytes);

  /**
   * Writes the file of a record ahead, by a thread that may wait for the disk.
   *
   * @param record stays as it is meanwhile, for all that matters after a restart
   * @throws LogRefusedException if the log takes nothing
   */
  Draft draft(long record);

  /** Logs a new record that was drafted; otherwise like {@link #written}. */
  long written(long record, Draft draft);

  /**
   * A record is about to be removed, before its time has come.
   *
   * @return where that is in the log; 0 if there is none
   */
  long removing(long record);

  /**
   * All records are about to go.
   *
   * @return where that is in the log; 0 if there is none
   */
  long clearing();

  /** A record that was logged at a position is no longer needed there. */
  void left(long position, int bytes);

  /**
   * Asked before a record is read back because somebody wants it.
   *
   * @throws LoadingException if they are to be told instead that it is not here yet
   */
  void requireReading();

  /**
   * Reads a record back. Waits for the disk.
   *
   * @param bytes how many it has
   * @throws LogUnreadableException if it cannot be read, or is not what was written
   */
  void read(long position, int bytes, Image to);
}
