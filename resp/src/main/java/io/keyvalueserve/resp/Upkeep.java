package io.keyvalueserve.resp;

/**
 * The time for which an event loop looks after its connections for what it has served: it sends
 * replies, and reads what clients send once they have them. It is learnt from round to round for
 * one served session, by a step of a sixteenth. For a session's few requests, this takes several
 * times what serving them does. A round that heeds only its own time therefore takes many times its
 * length. On the event loop only.
 */
final class Upkeep {
  private static final int STEP = 16;

  /**
   * The lowest ceiling on the time that one round counts for a session's upkeep. A ceiling is
   * needed because the thread may not have run meanwhile.
   */
  private static final long LEAST_CEILING_NANOS = 4_000;

  private long sessionNanos;
  private int served;
  private long leftNanos;
  private boolean goesOn;

  /** A round begins. */
  void begin(long nowNanos) {
    if (goesOn && served > 0) {
      long took = Math.max(0, nowNanos - leftNanos) / served;
      long ceiling = Math.max(LEAST_CEILING_NANOS, 2 * sessionNanos);
      sessionNanos += (Math.min(took, ceiling) - sessionNanos) / STEP;
    }
    served = 0;
  }

  /** A session was served. */
  void served() {
    served++;
  }

  /** The loop does something else besides until the next round: nothing can be learnt from that. */
  void interrupted() {
    goesOn = false;
  }

  /**
   * Returns the time for which the loop will probably look after its connections if this round ends
   * now.
   */
  long expectedNanos() {
    return served * sessionNanos;
  }

  /**
   * The round is over.
   *
   * @param isNextDue whether the loop looks after its connections and begins the next round,
   *     without waiting for something to happen
   */
  void end(long nowNanos, boolean isNextDue) {
    leftNanos = nowNanos;
    goesOn = isNextDue;
  }
}
