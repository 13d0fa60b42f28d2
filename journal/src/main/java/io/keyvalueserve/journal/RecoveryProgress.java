package io.keyvalueserve.journal;

/**
 * The progress of a recovery.
 *
 * @param bytes read of the log so far
 * @param totalBytes to be read in all
 * @param records given to the sink so far
 * @param nanos since the beginning
 */
public record RecoveryProgress(long bytes, long totalBytes, long records, long nanos) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Bytes a second so far. */
  public double bytesPerSecond() {
    return bytes * NANOS_PER_SECOND / Math.max(1, nanos);
  }
}
