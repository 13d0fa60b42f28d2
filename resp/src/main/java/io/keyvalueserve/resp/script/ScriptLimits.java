package io.keyvalueserve.resp.script;

import java.time.Duration;

/**
 * The bounds of scripts, the same for every tenant.
 *
 * @param steps instructions of Lua, and the like, in one run
 * @param memoryBytes bytes of values that are alive in one run, and of its reply
 * @param time how long one run may take on a thread
 * @param sourceBytes the longest source text
 */
public record ScriptLimits(long steps, long memoryBytes, Duration time, int sourceBytes) {
  /** 10 million steps, 16 MiB, 5 seconds, 256 KiB. */
  public static final ScriptLimits DEFAULT =
      new ScriptLimits(10_000_000, 16L << 20, Duration.ofSeconds(5), 256 << 10);

  /** Creates limits; each must be more than 0. */
  public ScriptLimits {
    if (steps < 1 || memoryBytes < 1 || !time.isPositive() || sourceBytes < 1) {
      throw new IllegalArgumentException(
          "bounds of scripts must be positive: steps="
              + steps
              + " memoryBytes="
              + memoryBytes
              + " time="
              + time
              + " sourceBytes="
              + sourceBytes);
    }
  }
}
