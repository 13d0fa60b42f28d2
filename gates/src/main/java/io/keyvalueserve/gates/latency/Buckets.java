package io.keyvalueserve.gates.latency;

/**
 * Into which bucket a time falls: each power of two is cut into eight of equal width, so that the
 * middle of a bucket is at most a sixteenth, 6.25 %, off from any time in it (the log-linear
 * buckets of HdrHistogram, whose documentation calls them sub-buckets; here with a fixed range).
 *
 * <p>The range is 1 us to 60 s: 1,024 ns to 2^36 ns. What is shorter has one bucket, and so has
 * what is longer.
 */
final class Buckets {
  /** The number of buckets, with the one for times beyond the range. */
  static final int COUNT;

  /** The longest time that has a width: what is longer is in the last bucket. */
  static final long MOST_NANOS = 1L << 36;

  private static final int SUB_BITS = 3;
  private static final int LEAST_EXPONENT = 10;
  private static final int MOST_EXPONENT = 36;

  static {
    COUNT = ((MOST_EXPONENT - LEAST_EXPONENT) << SUB_BITS) + 2;
  }

  private Buckets() {}

  /**
   * The bucket of a time.
   *
   * @param nanos negative is taken for 0
   */
  static int of(long nanos) {
    if (nanos < 1L << LEAST_EXPONENT) {
      return 0;
    }
    if (nanos >= MOST_NANOS) {
      return COUNT - 1;
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    int sub = (int) (nanos >>> (exponent - SUB_BITS)) & ((1 << SUB_BITS) - 1);
    return 1 + ((exponent - LEAST_EXPONENT) << SUB_BITS) + sub;
  }

  /** The shortest time of a bucket, in nanoseconds. */
  static long begin(int bucket) {
    if (bucket == 0) {
      return 0;
    }
    int exponent = LEAST_EXPONENT + ((bucket - 1) >>> SUB_BITS);
    int sub = (bucket - 1) & ((1 << SUB_BITS) - 1);
    return (1L << exponent) + ((long) sub << (exponent - SUB_BITS));
  }

  /**
   * Returns the time that stands for all times of a bucket: its middle, or the end of the range for
   * the last bucket.
   */
  static long middle(int bucket) {
    return bucket == COUNT - 1 ? MOST_NANOS : (begin(bucket) + begin(bucket + 1)) / 2;
  }
}
