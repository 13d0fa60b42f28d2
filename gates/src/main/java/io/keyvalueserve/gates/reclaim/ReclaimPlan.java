package io.keyvalueserve.gates.reclaim;

import java.util.List;

/**
 * Who gives up how much, in the order in which it is to be taken. Immutable.
 *
 * @param neededBytes what is needed to reach the low watermark; 0 if memory is not short
 * @param takes each tenant at most once for each reason
 */
public record ReclaimPlan(long neededBytes, List<Take> takes) {
  public ReclaimPlan {
    takes = List.copyOf(takes);
  }

  /**
   * What one tenant gives up.
   *
   * @param tenant its number
   * @param bytes 1 or more
   */
  public record Take(int tenant, long bytes, ReclaimReason reason, ReclaimAction action) {}

  /** What all takes free together. */
  public long bytes() {
    return takes.stream().mapToLong(Take::bytes).sum();
  }

  /** What is needed and may be taken from nobody: members or memory are too few. */
  public long missingBytes() {
    return Math.max(0, neededBytes - bytes());
  }
}
