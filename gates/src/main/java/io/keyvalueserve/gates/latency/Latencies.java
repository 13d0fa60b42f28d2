package io.keyvalueserve.gates.latency;

import java.util.Arrays;

/**
 * The latencies of requests: a histogram that does not change. Those of threads, doors and members
 * add up to the histogram of them all, whose percentiles are as exact as each one's. Percentiles
 * themselves cannot be averaged.
 *
 * <p>All times that it gives are off by 6.25 % at most, between 1 us and 68 s; what was shorter is
 * given as 512 ns, what was longer as 68.7 s.
 */
public final class Latencies {
  /** The latencies of no requests. */
  public static final Latencies NONE = new Latencies(0, new long[0], 0);

  /**
   * The exponents of the bucket bounds in metrics. Powers of two are bounds of buckets here too.
   */
  private static final int[] BOUND_EXPONENTS = {16, 18, 20, 22, 24, 26, 28, 30, 32};

  private static final String BETWEEN = ",";
  private static final int HEAD_FIELDS = 2;

  /** The bucket of the first count. */
  private final int first;

  /** The counts from the first that is not 0 to the last. */
  private final long[] counts;

  private final long sumNanos;
  private final long count;

  private Latencies(int first, long[] counts, long sumNanos) {
    this.first = first;
    this.counts = counts;
    this.sumNanos = sumNanos;
    this.count = Arrays.stream(counts).sum();
  }

  /**
   * Creates latencies from counts.
   *
   * @param all a count for each bucket
   */
  static Latencies of(long[] all, long sumNanos) {
    int from = 0;
    int to = all.length;
    while (from < to && all[from] == 0) {
      from++;
    }
    while (to > from && all[to - 1] == 0) {
      to--;
    }
    return from == to ? NONE : new Latencies(from, Arrays.copyOfRange(all, from, to), sumNanos);
  }

  /** Returns the number of requests. */
  public long count() {
    return count;
  }

  /** The sum of all their times, exact. */
  public long sumNanos() {
    return sumNanos;
  }

  /** Returns the latencies of these requests and others. */
  public Latencies plus(Latencies other) {
    if (other.count == 0) {
      return this;
    }
    return count == 0 ? other : combined(other, 1);
  }

  /** Returns these latencies without earlier ones of the same meter. */
  public Latencies since(Latencies earlier) {
    return earlier.count == 0 ? this : combined(earlier, -1);
  }

  private Latencies combined(Latencies other, int sign) {
    long[] all = new long[Buckets.COUNT];
    System.arraycopy(counts, 0, all, first, counts.length);
    for (int i = 0; i < other.counts.length; i++) {
      all[other.first + i] = Math.max(0, all[other.first + i] + sign * other.counts[i]);
    }
    return of(all, Math.max(0, sumNanos + sign * other.sumNanos));
  }

  /**
   * The time that a part of the requests did not exceed, in nanoseconds: 0.99 for the 99th
   * percentile. The smallest time of the histogram with at least that part at or below it (the
   * nearest rank).
   *
   * @param part above 0, 1 at most
   * @return 0 if there was no request
   */
  public long percentileNanos(double part) {
    if (!(part > 0 && part <= 1)) {
      throw new IllegalArgumentException("a percentile is above 0 and at most 1: " + part);
    }
    long rank = (long) Math.ceil(part * count);
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return Buckets.middle(first + i);
      }
    }
    return 0;
  }

  /** The longest time, as exact as the others, in nanoseconds; 0 if there was no request. */
  public long mostNanos() {
    return count == 0 ? 0 : Buckets.middle(first + counts.length - 1);
  }

  /**
   * The bounds that {@link #below} counts by, in nanoseconds, rising: 2^16, 2^18 and so on up to
   * 2^32, which are 65.5 us to 4.3 s, each four times the one before. They are bounds of buckets,
   * so that the counts are exact.
   */
  public static long[] bounds() {
    return Arrays.stream(BOUND_EXPONENTS).mapToLong(exponent -> 1L << exponent).toArray();
  }

  /** Returns the number of requests that took less than each of the {@link #bounds}. */
  public long[] below() {
    long[] below = new long[BOUND_EXPONENTS.length];
    for (int bound = 0; bound < below.length; bound++) {
      int end = Buckets.of(1L << BOUND_EXPONENTS[bound]);
      for (int i = 0; i < counts.length && first + i < end; i++) {
        below[bound] += counts[i];
      }
    }
    return below;
  }

  /**
   * Returns the form that members send to each other: the sum, the first bucket, and the counts
   * from there on.
   */
  public String encode() {
    if (count == 0) {
      return "";
    }
    StringBuilder text = new StringBuilder().append(sumNanos).append(BETWEEN).append(first);
    for (long each : counts) {
      text.append(BETWEEN).append(each);
    }
    return text.toString();
  }

  /**
   * Reads what {@link #encode} made.
   *
   * @throws IllegalArgumentException if it is no such thing
   */
  public static Latencies decode(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    String[] fields = text.split(BETWEEN, -1);
    long[] all = new long[Buckets.COUNT];
    try {
      long sum = Long.parseLong(fields[0]);
      int from = fields.length > 1 ? Integer.parseInt(fields[1]) : -1;
      if (sum < 0 || from < 0 || from + fields.length - HEAD_FIELDS > all.length) {
        throw new IllegalArgumentException("no histogram: " + text);
      }
      for (int i = HEAD_FIELDS; i < fields.length; i++) {
        long parsed = Long.parseLong(fields[i]);
        if (parsed < 0) {
          throw new IllegalArgumentException("a histogram has a negative count: " + text);
        }
        all[from + i - HEAD_FIELDS] = parsed;
      }
      return of(all, sum);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("no histogram: " + text, e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Latencies same
        && first == same.first
        && sumNanos == same.sumNanos
        && Arrays.equals(counts, same.counts);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * first + Long.hashCode(sumNanos)) + Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return count + " requests, p99 " + (count == 0 ? 0 : percentileNanos(0.99)) + " ns";
  }
}
