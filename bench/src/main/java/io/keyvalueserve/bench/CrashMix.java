package io.keyvalueserve.bench;

import java.util.SplittableRandom;

/**
 * What writers of a crash test write.
 *
 * @param pipeline how many commands are sent at once
 * @param shortestBytes of usual values
 * @param longestBytes of usual values
 * @param perSecond commands of one writer in a second; 0 for as many as it can
 */
record CrashMix(int pipeline, int shortestBytes, int longestBytes, double perSecond) {
  /** A kind of command. */
  enum Kind {
    SET,
    /** SET with a time to live that no run outlives. */
    SET_LONG,
    /** SET with a time to live that ends within the next rounds. */
    SET_SHORT,
    DEL,
    MSET
  }

  /** The most keys of an MSET. */
  static final int MOST_KEYS = 8;

  /** One value of so many is a large one: logs treat those in their own way. */
  private static final int LARGE_ONE_OF = 1000;

  private static final int LARGE_FROM = 250 << 10;
  private static final int LARGE_TO = 300 << 10;
  private static final int HOUR_MILLIS = 3_600_000;

  /** Draws a kind of command. */
  static Kind kind(SplittableRandom random) {
    int percent = random.nextInt(100);
    if (percent < 12) {
      return Kind.DEL;
    }
    if (percent < 22) {
      return Kind.SET_LONG;
    }
    if (percent < 30) {
      return Kind.SET_SHORT;
    }
    return percent < 36 ? Kind.MSET : Kind.SET;
  }

  /** Draws a time to live, in milliseconds; 0 for ever. */
  static long ttlMillis(Kind kind, SplittableRandom random) {
    return switch (kind) {
      case SET, DEL, MSET -> 0;
      case SET_SHORT -> random.nextInt(300, 6_000);
      case SET_LONG -> random.nextInt(24 * HOUR_MILLIS, 240 * HOUR_MILLIS);
    };
  }

  /** Draws the size of a value, in bytes. */
  int valueBytes(SplittableRandom random) {
    return random.nextInt(LARGE_ONE_OF) == 0
        ? random.nextInt(LARGE_FROM, LARGE_TO)
        : random.nextInt(shortestBytes, longestBytes + 1);
  }

  /** How long a batch takes at the rate, in nanoseconds. */
  long batchNanos() {
    return perSecond == 0 ? 0 : (long) (pipeline * 1e9 / perSecond);
  }
}
