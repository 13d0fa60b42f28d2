package io.keyvalueserve.gates.reclaim;

import java.util.List;

/**
 * A plan of how much memory to take from each tenant, in order. Immutable.
 *
 * @param neededBytes what is needed to reach the low watermark; 0 if memory is not short
 * @param takes each tenant at most once for each reason
 */
public record ReclaimPlan(long neededBytes, List<Take> takes) {
  public ReclaimPlan {
    takes = List.copyOf(takes);
  }

  /**
   * The memory to take from one tenant for one reason.
   *
   * @param tenant its number
   * @param bytes 1 or more
   */
  public record Take(int tenant, long bytes, ReclaimReason reason, ReclaimAction action) {}

  /** Returns the bytes that all takes free together. */
  public long bytes() {
    return takes.stream().mapToLong(Take::bytes).sum();
  }

  /**
   * Returns the bytes that are needed and cannot be taken from any tenant: members or memory are
   * too few.
   */
  public long missingBytes() {
    return Math.max(0, neededBytes - bytes());
  }
}
