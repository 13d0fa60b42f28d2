package io.keyvalueserve.maps.predicate;

import com.hazelcast.query.QueryException;

/**
 * A text that may be looked at so often: what matches regular expressions has no other end where
 * one takes exponentially many steps. For one thread.
 */
public final class CountedText implements CharSequence {
  private static final long LEAST_LOOKS = 1_000_000;
  private static final int LOOKS_PER_CHARACTER = 64;

  private final String text;
  private long left;

  /** Counts from zero. */
  public CountedText(String text) {
    this.text = text;
    this.left = Math.max(LEAST_LOOKS, (long) LOOKS_PER_CHARACTER * text.length());
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public char charAt(int index) {
    if (--left < 0) {
      throw new QueryException(
          "to match a value of "
              + text.length()
              + " characters with this regular expression takes too many steps: avoid repetitions"
              + " within repetitions");
    }
    return text.charAt(index);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.subSequence(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
