package io.keyvalueserve.engine.collection;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set: members in the order of their scores; those of one score in the order of their
 * bytes. The first one has rank 0. No score is NaN.
 */
public interface SortedSetView extends CollectionView {
  /** The score of a member, or null if there is no such member. */
  @Nullable Double score(Bytes member);

  /** Writes a member with its score; returns whether it is new. */
  boolean put(Bytes member, double score);

  /** Removes a member; returns whether it was there. */
  boolean remove(Bytes member);

  /** The rank of a member, or -1 if there is no such member. */
  long rank(Bytes member);

  /**
   * Returns members.
   *
   * @param from rank of the first one, 0 to {@link #size}
   * @param count how many, if there are as many
   */
  List<Scored> range(long from, long count);

  /**
   * Visits members, or those up to the first for which the visitor returns false.
   *
   * @param from rank of the first one, 0 to {@link #size}
   * @param count how many, if there are as many
   */
  default void visit(long from, long count, Predicate<Scored> visitor) {
    for (Scored each : range(from, count)) {
      if (!visitor.test(each)) {
        return;
      }
    }
  }

  /**
   * Visits members in an order that is another one.
   *
   * @param cursor 0 to begin, then what the call before returned
   * @param count about how many: a hint
   * @param visitor returns false if the call is to end soon: a hint too
   * @return where to go on, 0 at the end
   */
  default long scan(long cursor, int count, Predicate<Scored> visitor) {
    for (Scored each : range(0, size())) {
      boolean _ = visitor.test(each);
    }
    return 0;
  }

  /** Returns the members, to choose some from. */
  default Places<Scored> places() {
    return Places.of(range(0, size()));
  }

  /**
   * Removes members.
   *
   * @param from rank of the first one, 0 to {@link #size}
   * @param count how many; there are as many
   */
  void removeRange(long from, long count);

  /**
   * Returns how many members come before a limit.
   *
   * @param orAt whether those at the limit count too
   */
  long countBelow(double score, boolean orAt);

  /** Does the same by the order of the members' bytes, where all have one score. */
  long countBelow(Bytes member, boolean orAt);

  /** A member with its score. */
  record Scored(Bytes member, double score) implements Comparable<Scored> {
    @Override
    public int compareTo(Scored other) {
      if (score < other.score) {
        return -1;
      }
      return score > other.score ? 1 : member.compareTo(other.member);
    }
  }
}
