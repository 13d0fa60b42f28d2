package io.keyvalueserve.bench;

import java.util.Comparator;

/**
 * A request of a victim that took long; all in the time of {@link System#nanoTime}, which on Linux
 * is that of CLOCK_MONOTONIC, so that it can be looked up in a trace of the system.
 *
 * @param due when the timetable had it
 * @param sent when its thread began to send it: later if that was woken up late, or still waited
 *     for the reply before
 * @param answered when its thread had the reply
 */
record SlowRequest(long due, long sent, long answered) {
  /** The one that took least first. */
  static final Comparator<SlowRequest> BY_LATENCY = Comparator.comparingLong(SlowRequest::nanos);

  /** How long it took since it was due. */
  long nanos() {
    return answered - due;
  }
}
