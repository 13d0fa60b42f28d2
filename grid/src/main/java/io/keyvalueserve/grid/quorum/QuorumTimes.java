package io.keyvalueserve.grid.quorum;

import java.util.concurrent.TimeUnit;

/**
 * Holds the times of the protocol, in nanoseconds of a monotonic clock.
 *
 * @param lease how long a voter's grant is valid, from the moment when it was asked for
 * @param beat how often members ask
 * @param silence after how long without a message a member is taken for lost
 */
public record QuorumTimes(long lease, long beat, long silence) {
  /** A lease of one second, asked for five times a second; four seconds of silence. */
  public static final QuorumTimes DEFAULT = ofMillis(1_000, 200, 4_000);

  /** Clocks of two machines differ by less than this part of a time that both measure. */
  private static final int DRIFT_PART = 100;

  /** A voter that was just added or lost stays so long before the set of voters is changed. */
  private static final int SETTLING_BEATS = 5;

  private static final int FORGETTING = 2;

  /**
   * @throws IllegalArgumentException unless {@code 0 < 2 * beat <= lease < silence}
   */
  public QuorumTimes {
    if (beat <= 0 || 2 * beat > lease || lease >= silence) {
      throw new IllegalArgumentException(
          "times of a quorum must be 0 < 2 * beat <= lease < silence: beat="
              + beat
              + " lease="
              + lease
              + " silence="
              + silence);
    }
  }

  /** Returns times that are given in milliseconds. */
  public static QuorumTimes ofMillis(long lease, long beat, long silence) {
    return new QuorumTimes(
        TimeUnit.MILLISECONDS.toNanos(lease),
        TimeUnit.MILLISECONDS.toNanos(beat),
        TimeUnit.MILLISECONDS.toNanos(silence));
  }

  /** Returns how long a voter waits until its last grant to a lost member has surely ended. */
  long fence() {
    return lease + lease / DRIFT_PART;
  }

  /** Returns how long a member is present before it becomes a voter. */
  long joining() {
    return beat * SETTLING_BEATS;
  }

  /** Returns how long a voter is absent before another member takes its place. */
  long forgetting() {
    return silence * FORGETTING;
  }
}
