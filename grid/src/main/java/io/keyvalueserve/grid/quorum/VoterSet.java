package io.keyvalueserve.grid.quorum;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Names the members whose majority decides who may serve. One set differs from the one before it by
 * at most one voter, so that a majority of either overlaps with a majority of the other.
 *
 * @param origin the id of the cluster, chosen when its first set was made
 * @param term grows with each master that changes the set
 * @param view the version of the member list when the set was proposed; orders masters of one term
 * @param number grows with each set of a master
 * @param proposer the master that proposed the set
 * @param consistent whether only a majority may serve; if not, everybody may
 * @param voters the addresses of the voters by their ids; never empty
 * @param forgotten the ids of members that the operator has taken off the cluster for good, the
 *     first forgotten first; up to {@link #MOST_FORGOTTEN}
 */
public record VoterSet(
    UUID origin,
    long term,
    long view,
    long number,
    UUID proposer,
    boolean consistent,
    SortedMap<UUID, String> voters,
    List<UUID> forgotten) {
  /** The cluster remembers so many forgotten members; the first of more is dropped. */
  public static final int MOST_FORGOTTEN = 64;

  private static final int LEAST_CONSISTENT = 3;
  private static final Comparator<VoterSet> AGE =
      Comparator.comparingLong(VoterSet::term)
          .thenComparingLong(VoterSet::view)
          .thenComparingLong(VoterSet::number);

  /**
   * @throws IllegalArgumentException if there is no voter
   */
  public VoterSet {
    voters = Collections.unmodifiableSortedMap(new TreeMap<>(voters));
    forgotten = List.copyOf(forgotten);
    if (voters.isEmpty()) {
      throw new IllegalArgumentException("a set of voters is not empty");
    }
  }

  /**
   * Returns how many voters decide. In the first set it is all of them: one that could forget it
   * might begin another cluster with members that do not know this one.
   */
  int majority() {
    return consistent && isFirst() ? voters.size() : voters.size() / 2 + 1;
  }

  /** Returns whether this is the cluster's first set: not all voters are known to have it yet. */
  boolean isFirst() {
    return number == 1;
  }

  /** Returns the same voters, now that all of them know the first set. */
  VoterSet confirmed() {
    return new VoterSet(origin, term, view, number + 1, proposer, consistent, voters, forgotten);
  }

  boolean has(UUID member) {
    return voters.containsKey(member);
  }

  /** Returns whether this set replaces another one of the same cluster. */
  boolean isNewerThan(VoterSet other) {
    return AGE.compare(this, other) > 0;
  }

  /** Returns whether this is the same set as another. */
  boolean isSame(VoterSet other) {
    return origin.equals(other.origin)
        && AGE.compare(this, other) == 0
        && proposer.equals(other.proposer);
  }

  /** Returns the set with one voter more. */
  VoterSet with(UUID voter, String address, long view, SplitMode mode) {
    TreeMap<UUID, String> next = new TreeMap<>(voters);
    next.put(voter, address);
    return next(next, forgotten, view, mode);
  }

  /** Returns the set with one voter less. */
  VoterSet without(UUID voter, long view, SplitMode mode) {
    TreeMap<UUID, String> next = new TreeMap<>(voters);
    next.remove(voter);
    return next(next, forgotten, view, mode);
  }

  /** Returns the set without a member that never comes back, which need not be a voter. */
  VoterSet forgetting(UUID member, long view, SplitMode mode) {
    TreeMap<UUID, String> next = new TreeMap<>(voters);
    next.remove(member);
    List<UUID> all = new ArrayList<>(forgotten);
    all.add(member);
    return next(
        next, all.subList(Math.max(0, all.size() - MOST_FORGOTTEN), all.size()), view, mode);
  }

  private VoterSet next(SortedMap<UUID, String> next, List<UUID> lost, long view, SplitMode mode) {
    return new VoterSet(
        origin, term, view, number + 1, proposer, isConsistent(mode, next.size()), next, lost);
  }

  /** Returns the same voters, proposed by another master. */
  VoterSet by(UUID master, long view, SplitMode mode) {
    return new VoterSet(
        origin,
        term + 1,
        view,
        number + 1,
        master,
        isConsistent(mode, voters.size()),
        voters,
        forgotten);
  }

  /**
   * Returns whether a set of this size is consistent. A consistent set stays consistent until one
   * voter is left.
   */
  private boolean isConsistent(SplitMode mode, int size) {
    return isConsistent(mode, size, consistent);
  }

  private static boolean isConsistent(SplitMode mode, int size, boolean before) {
    return switch (mode) {
      case CONSISTENT -> true;
      case AVAILABLE -> false;
      case AUTO -> size >= LEAST_CONSISTENT || (before && size > 1);
    };
  }

  /**
   * Returns the first set of a cluster.
   *
   * @param named how many members the configuration names: what is to have three is consistent
   *     before the third is there
   */
  static VoterSet first(
      UUID origin,
      long view,
      UUID master,
      SplitMode mode,
      int named,
      SortedMap<UUID, String> voters) {
    int size = Math.max(named, voters.size());
    return new VoterSet(
        origin, 1, view, 1, master, isConsistent(mode, size, false), voters, List.of());
  }
}
