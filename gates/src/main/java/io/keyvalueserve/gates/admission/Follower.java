package io.keyvalueserve.gates.admission;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/** The coordinator's knowledge of one member. Guarded by the coordinator. */
final class Follower {
  final UUID member;
  State state = State.UNKNOWN;

  /** The time when it was last heard of, or became a member, by the coordinator's clock. */
  long heardNanos;

  /** The {@code openedNanos} of the last report. */
  long openedNanos;

  /** The {@code sentNanos} of the last report. */
  long sentNanos;

  /** The last assignment that was made. */
  long epoch;

  /** True if the member has reported {@link #epoch}. Only then is another assignment made. */
  boolean obeys;

  /**
   * True if the member has obeyed any epoch of this tenure. From then on no assignment of another
   * tenure can reach it.
   */
  boolean greeted;

  /** Limits whose share the last epoch changes, or the next one if the last is obeyed. */
  final Set<RateKey> changes = new LinkedHashSet<>();

  /** Limits in the last report. */
  Set<RateKey> asked = Set.of();

  Follower(UUID member, long nowNanos) {
    this.member = member;
    this.heardNanos = nowNanos;
  }

  enum State {
    /** Has not reported since it became a member, or since the tenure began. */
    UNKNOWN,
    /** Reports. */
    FOLLOWS,
    /** Has been silent for so long that its shares have expired. */
    SILENT
  }

  boolean hasSeen(DemandReport report) {
    return state != State.UNKNOWN && report.sentNanos() - sentNanos <= 0;
  }

  void heard(DemandReport report, long nowNanos) {
    heardNanos = nowNanos;
    sentNanos = report.sentNanos();
  }
}
