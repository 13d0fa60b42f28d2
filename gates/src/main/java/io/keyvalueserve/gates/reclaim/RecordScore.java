package io.keyvalueserve.gates.reclaim;

/**
 * The worth of a record in memory to its tenant, by recency and frequency: its uses, divided by the
 * seconds since the last use. The record with the lowest score goes first.
 *
 * <p>This is the priority of hyperbolic caching (A. Blankstein, S. Sen and M. Freedman, "Hyperbolic
 * caching: flexible caching for web applications", USENIX ATC 2017, section 3) with the time since
 * the last use in the place of the time since the record came, which records do not keep. A counter
 * therefore needs no decay: the score of a record that was popular once, and is not used any more,
 * falls by itself.
 *
 * <p>Records count their uses in 8 bits, each step being the less likely the greater the counter
 * (R. Morris, "Counting large numbers of events in small registers", CACM 21(10), 1978): from one
 * count {@code c} to the next it takes {@code 10 c} uses. A count {@code c} therefore stands for
 * {@code 1 + 5 c (c - 1)} uses.
 */
public final class RecordScore {
  /** The greatest count. */
  public static final int MOST_COUNT = 255;

  private static final double STEP = 10;
  private static final float[] USES = new float[MOST_COUNT + 1];

  static {
    USES[0] = 0.5f; // written and never read: worth less than what was read once
    for (int count = 1; count <= MOST_COUNT; count++) {
      USES[count] = (float) (1 + STEP / 2 * count * (count - 1));
    }
  }

  private RecordScore() {}

  /**
   * The score.
   *
   * @param count of uses, 0 to {@link #MOST_COUNT}
   * @param idleSeconds since it was used or written last; less than 0 counts as 0
   * @return more than 0; the greater, the more worth keeping
   */
  public static float of(int count, int idleSeconds) {
    return USES[count] / (1 + (float) Math.max(0, idleSeconds));
  }
}
