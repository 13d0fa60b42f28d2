package io.keyvalueserve.gates.fairness;

/**
 * The latest visits to tenants on one thread, in order. It tells which tenants were served while a
 * claim waited. The log is bounded: of a long wait it samples a part of the visits and takes them
 * for the whole. Confined to the thread.
 */
final class ServiceLog {
  private static final int SIZE = 256; // a power of two
  private static final int MOST_STEPS = 4;

  private final int[] tenants = new int[SIZE];

  /** The total service time when each visit began. */
  private final long[] begins = new long[SIZE];

  /** The number of the visit that is written last. */
  private long newest;

  private long total;

  /** The offset at which samples begin. It changes, so in the long run all visits are looked at. */
  private int phase;

  /** Returns the nanoseconds for which all tenants were served since the beginning. */
  long total() {
    return total;
  }

  /** The number of the newest visit. */
  long newest() {
    return newest;
  }

  /** Adds a slice. Slices of a tenant that follow each other are one visit. */
  void add(int tenant, long cost) {
    int slot = (int) newest & (SIZE - 1);
    if (tenants[slot] != tenant) {
      slot = (int) ++newest & (SIZE - 1);
      tenants[slot] = tenant;
      begins[slot] = total;
    }
    total += cost;
  }

  /**
   * Says whom others were served instead of a claim since it became ready.
   *
   * @param nanos how long others were in all: what is blamed adds up to that, but for rounding
   */
  void blame(Claim<?> claim, long nanos, HeavyHitters aggressors) {
    long oldest = Math.max(claim.visitThen, newest - SIZE + 1);
    long visits = newest - oldest + 1;
    int stride = (int) ((visits + MOST_STEPS - 1) / MOST_STEPS);
    if (stride == 1 && oldest == claim.visitThen) {
      for (long visit = newest; visit >= oldest; visit--) {
        int tenant = tenants[(int) visit & (SIZE - 1)];
        long length = length(visit, claim.servedThen);
        if (tenant != claim.flow.tenant && length > 0) {
          aggressors.add(tenant, length);
        }
      }
    } else {
      sample(claim, oldest, stride, nanos, aggressors);
    }
  }

  private void sample(
      Claim<?> claim, long oldest, int stride, long nanos, HeavyHitters aggressors) {
    phase = phase + 1 == SIZE ? 0 : phase + 1;
    long from = newest - phase % stride;
    long sampled = 0;
    for (long visit = from; visit > oldest; visit -= stride) {
      sampled += length(ofOther(visit, claim), claim.servedThen);
    }
    if (sampled == 0) {
      return;
    }
    double scale = (double) nanos / sampled;
    for (long visit = from; visit > oldest; visit -= stride) {
      long other = ofOther(visit, claim);
      long length = (long) (length(other, claim.servedThen) * scale);
      if (length > 0) {
        aggressors.add(tenants[(int) other & (SIZE - 1)], length);
      }
    }
  }

  /** The visit, or the one before if that was to the claim's own tenant. */
  private long ofOther(long visit, Claim<?> claim) {
    return tenants[(int) visit & (SIZE - 1)] == claim.flow.tenant ? visit - 1 : visit;
  }

  /** Returns the length of a visit, as far as it came after so much had been served. */
  private long length(long visit, long servedThen) {
    long end = visit == newest ? total : begins[(int) (visit + 1) & (SIZE - 1)];
    return Math.max(0, end - Math.max(begins[(int) visit & (SIZE - 1)], servedThen));
  }
}
