package io.keyvalueserve.journal;

/**
 * Takes what the log holds when it is opened, most of it in {@linkplain #take batches}. For each
 * partition the calls come in the order in which the records were appended, one at a time;
 * different partitions may be fed by different threads if there are several loaders.
 *
 * <p>A frame and its addresses are valid during the call. A record that is replaced or removed is
 * told to {@link DeadBytes}, as while the log is open.
 */
public interface RecoverySink {
  /** Called once, before anything else. */
  default void begin(DeadBytes dead) {}

  /**
   * Some frames, in their order. Who has a use for knowing the next ones takes them here; else each
   * is given by itself.
   */
  default void take(FrameBatch batch) {
    for (int i = 0; i < batch.count(); i++) {
      batch.give(i, this);
    }
  }

  /** A record. One of the same map and key is replaced. */
  void put(Frame frame);

  /** A record was removed, or has expired; the map may not have had it. */
  void remove(Frame frame);

  /** All records of the map in the partition with smaller positions than {@link Frame#before}. */
  void clear(Frame frame);

  /** All records of the partition with smaller positions than {@link Frame#before}. */
  void drop(Frame frame);

  /** Takes the progress of the recovery; about ten times a second, from any of the threads. */
  default void progress(RecoveryProgress progress) {}
}
