package io.keyvalueserve.journal;

/**
 * A listener that is told how far an inspection has come, about ten times a second, from any
 * thread.
 */
public interface InspectionProgress {
  /** A progress that reports to nobody. */
  InspectionProgress NONE =
      new InspectionProgress() {
        @Override
        public void reading(RecoveryProgress progress) {}

        @Override
        public void compacting(long doneBytes, long totalBytes) {}
      };

  /** The log is being read. */
  void reading(RecoveryProgress progress);

  /** The log is being compacted: so much of what it had is done with. */
  void compacting(long doneBytes, long totalBytes);
}
