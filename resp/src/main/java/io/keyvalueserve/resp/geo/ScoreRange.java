package io.keyvalueserve.resp.geo;

/**
 * Scores that follow each other.
 *
 * @param from the least one, included
 * @param to the limit, which is not included
 */
public record ScoreRange(double from, double to) {
  /** Returns whether a score lies in it. */
  public boolean contains(double score) {
    return score >= from && score < to;
  }
}
