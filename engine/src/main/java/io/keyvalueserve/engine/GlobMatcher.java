package io.keyvalueserve.engine;

/**
 * Matches keys with a {@link GlobPattern}, and counts what that takes.
 *
 * <p>A step is a byte of the pattern that is looked at. One key may take {@link #LEAST_STEPS}, or
 * {@link #STEPS_PER_BYTE} for each of its bytes if that is more. A pattern that takes more is too
 * costly, and matches nothing from then on. One thread.
 */
public final class GlobMatcher {
  /** The steps that any key may take: some hundred microseconds. */
  public static final int LEAST_STEPS = 1 << 16;

  /** The steps that a long key may take for each of its bytes. */
  public static final int STEPS_PER_BYTE = 4;

  /** The steps that are enough for one slice. */
  private static final int STEPS_OF_SLICE = 1 << 15;

  private final GlobPattern pattern;
  private final boolean isAny;
  private final GlobPattern.Steps budget = new GlobPattern.Steps();
  private long steps;
  private int costlyLength = -1;

  /** Creates a matcher that has taken no step yet. */
  public GlobMatcher(GlobPattern pattern) {
    this.pattern = pattern;
    this.isAny = pattern.matchesAll();
  }

  /** Returns whether the whole key matches. */
  public boolean matches(byte[] key) {
    return matches(key, 0, key.length);
  }

  /**
   * Returns whether the whole range of bytes matches. Always false if the pattern is too costly.
   */
  public boolean matches(byte[] bytes, int offset, int length) {
    if (isAny) {
      return true;
    }
    if (isTooCostly()) {
      return false;
    }
    long most = Math.max(LEAST_STEPS, (long) STEPS_PER_BYTE * length);
    budget.left = most;
    boolean matches = pattern.matches(bytes, offset, length, budget);
    steps += most - budget.left;
    if (budget.left < 0) {
      costlyLength = length;
      return false;
    }
    return matches;
  }

  /** Returns the number of steps that were taken since {@link #beginSlice}, or in all. */
  public long steps() {
    return steps;
  }

  /** Begins to count anew. */
  public void beginSlice() {
    steps = 0;
  }

  /** Returns whether others should have a turn before the next key. */
  public boolean isSliceOver() {
    return steps >= STEPS_OF_SLICE || isTooCostly();
  }

  /** Returns whether a key was found that takes too many steps. */
  public boolean isTooCostly() {
    return costlyLength >= 0;
  }

  /** Says why the pattern is refused, if it is too costly. */
  public String refusal() {
    return "the pattern takes more than "
        + Math.max(LEAST_STEPS, (long) STEPS_PER_BYTE * costlyLength)
        + " steps for a key of "
        + costlyLength
        + " bytes: use fewer or shorter texts between its '*' signs";
  }
}
