package io.keyvalueserve.cli;

import io.keyvalueserve.journal.InspectionProgress;
import io.keyvalueserve.journal.RecoveryProgress;

/** Says how far the reading or the compaction of a log is. Thread-safe. */
final class DataProgress implements InspectionProgress {
  private final Progress progress;
  private long compactingSince;

  DataProgress(Progress progress) {
    this.progress = progress;
  }

  @Override
  public void reading(RecoveryProgress reading) {
    progress.tell("reading", reading.bytes(), reading.totalBytes(), reading.nanos());
  }

  @Override
  public synchronized void compacting(long doneBytes, long totalBytes) {
    long now = System.nanoTime();
    compactingSince = compactingSince == 0 ? now : compactingSince;
    progress.tell("compacting", doneBytes, totalBytes, now - compactingSince);
  }
}
