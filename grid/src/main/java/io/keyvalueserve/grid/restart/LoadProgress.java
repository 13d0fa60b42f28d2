package io.keyvalueserve.grid.restart;

/**
 * The progress of a member that serves with loading what it had. For a member that has loaded all
 * before it serves: the records of its log that it has put back, with those that later records
 * replaced.
 *
 * @param records so many of which only the keys were known have been loaded, or were changed since
 * @param totalRecords of so many
 * @param bytes so many have those records
 * @param totalBytes of so many
 * @param nanos how long it has taken so far
 * @param done whether that is all
 */
public record LoadProgress(
    long records, long totalRecords, long bytes, long totalBytes, long nanos, boolean done) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Bytes of records a second. */
  public double bytesPerSecond() {
    return nanos == 0 ? 0 : bytes * NANOS_PER_SECOND / nanos;
  }

  /** Returns how long the rest takes at this rate; 0 if there is none or nothing is known yet. */
  public double secondsLeft() {
    return done || bytes == 0 ? 0 : Math.max(0, totalBytes - bytes) / bytesPerSecond();
  }
}
