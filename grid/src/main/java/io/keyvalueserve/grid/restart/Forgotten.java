package io.keyvalueserve.grid.restart;

import io.keyvalueserve.grid.quorum.VoterSet;
import java.util.Comparator;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The members that the operator has taken off the cluster for good, as a member knows them. They
 * are part of the set of voters, so of two members the one with the newer set is right.
 *
 * @param term of the set
 * @param view of the set
 * @param number of the set
 * @param members their ids
 */
record Forgotten(long term, long view, long number, Set<UUID> members)
    implements Comparable<Forgotten> {
  static final Forgotten NONE = new Forgotten(0, 0, 0, Set.of());

  private static final Comparator<Forgotten> AGE =
      Comparator.comparingLong(Forgotten::term)
          .thenComparingLong(Forgotten::view)
          .thenComparingLong(Forgotten::number);

  Forgotten {
    members = Set.copyOf(members);
  }

  /**
   * @param set null if the member knows no voters
   */
  static Forgotten of(@Nullable VoterSet set) {
    return set == null
        ? NONE
        : new Forgotten(set.term(), set.view(), set.number(), Set.copyOf(set.forgotten()));
  }

  boolean has(UUID member) {
    return members.contains(member);
  }

  @Override
  public int compareTo(Forgotten other) {
    return AGE.compare(this, other);
  }
}
