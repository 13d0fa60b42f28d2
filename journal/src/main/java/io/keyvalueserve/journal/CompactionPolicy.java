package io.keyvalueserve.journal;

/**
 * The rules of compaction: when chunks are compacted, and how fast.
 *
 * @param spaceBound how many bytes of files there may be for each byte that is needed, at least 1
 * @param bandwidthShare how many bytes the compactor may write for each byte that others append;
 *     beyond the bound it rises with the fourth power of the excess, up to 8
 * @param tombstoneShare how many bytes of removes there may be for each byte that is needed
 * @param idleBytesPerSecond what the compactor may write while nobody appends
 */
public record CompactionPolicy(
    double spaceBound, double bandwidthShare, double tombstoneShare, long idleBytesPerSecond) {
  /**
   * Twice the space, a quarter of the bandwidth, a tenth for removes, 16 MiB a second when idle.
   */
  public static final CompactionPolicy DEFAULT = new CompactionPolicy(2, 0.25, 0.1, 16 << 20);

  /** Everything that can be had, at once. */
  static final CompactionPolicy ALL = new CompactionPolicy(1, 8, 0, Long.MAX_VALUE / 4);

  private static final double MOST_SHARE = 8;

  /** Checks the figures. */
  public CompactionPolicy {
    if (!(spaceBound >= 1) || !(bandwidthShare > 0) || !(tombstoneShare >= 0)) {
      throw new IllegalArgumentException(
          "no policy: spaceBound=%s bandwidthShare=%s tombstoneShare=%s"
              .formatted(spaceBound, bandwidthShare, tombstoneShare));
    }
  }

  /** The share at a ratio of bytes in files to bytes needed. */
  double shareAt(double ratio) {
    double excess = Math.max(1, ratio / spaceBound);
    return Math.min(MOST_SHARE, bandwidthShare * excess * excess * excess * excess);
  }
}
