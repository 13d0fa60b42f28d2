package io.keyvalueserve.maps;

import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions;
import java.util.function.Consumer;

/**
 * What makes the entries of a partition of a map outlive the member. All methods but {@link
 * #isWanted}, {@link #hasRoom} and {@link #takesAtOnce} are called by the partition's writer,
 * around the change that they tell of.
 */
public interface EntryLog {
  /** For maps that live as long as their members. */
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

    /** Whether it was written or discarded. */
    boolean isOver();
  }

  /** Where logs come from, and who knows when they are certain. */
  interface Source extends GuardedPartitions.Certainty {
    /** Of a member whose maps live as long as it does. */
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

    /** Whether a write of a map is answered only when it is certain that nothing loses it. */
    boolean holdsAnswers(String map);

    /** For a thread that is to wait for records of these logs. */
    UncertainRecords uncertain();
  }

  /** Whether records are logged: they then have room for their position in the log. */
  boolean keepsRecords();

  /** Whether they are to be, by what holds of the map at this moment. By any thread. */
  boolean isWanted();

  /** From now on records are logged, or no longer are. */
  void keepRecords(boolean keep);

  /**
   * What the log has of these entries is not to come back, whether records are logged or not.
   *
   * @return where that is in the log; 0 if there is none
   */
  long forget();

  /**
   * Whether a record of so many bytes can be logged without waiting: for threads that must not. By
   * any thread.
   */
  boolean hasRoom(int bytes);

  /**
   * As {@link #hasRoom}, and whether the change can be answered without waiting either.
   *
   * @param answerWaits whether who answers waits for the log to be certain: then it is only asked
   *     whether nothing else has to be waited for
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

  /** Whether a change is acknowledged only when the log has it for certain. */
  boolean holdsAnswers();

  /**
   * A record is new.
   *
   * @return where it is in the log; 0 if there is none
   */
  long written(long record);

  /** As {@link #written}, of a record that is not new: the log had it before, and has lost it. */
  long writtenAnew(long record);

  /**
   * Whether a record of so many bytes is so large that the log has it in a file of its own: that
   * can be {@linkplain #draft drafted}. By any thread.
   */
  boolean isDrafted(int bytes);

  /**
   * Writes the file of a record ahead, by a thread that may wait for the disk.
   *
   * @param record stays as it is meanwhile, for all that matters after a restart
   * @throws LogRefusedException if the log takes nothing
   */
  Draft draft(long record);

  /** As {@link #written}, of a record that was drafted. */
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
