package io.keyvalueserve.bench;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the configurations that a search visited. Not thread-safe.
 *
 * <p>A configuration is a set of known operations, a set of optional ones and a state. For the same
 * known operations and state, a smaller set of optional operations is never worse: each order that
 * completes the larger set completes the smaller one. The optional set may also hold marks that
 * forbid steps.
 */
final class LinearVisits {
  private static final class Key {
    private final long[] words;

    Key(long[] words) {
      this.words = words;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that && Arrays.equals(words, that.words);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(words);
    }
  }

  private final Map<LinearState, Integer> states = new HashMap<>();
  private final Map<Key, long[]> visited = new HashMap<>();

  /**
   * Notes a visit.
   *
   * @param known the set of known operations
   * @param optional the set of optional operations
   * @return whether no visit before it was as good
   */
  boolean add(long[] known, long[] optional, LinearState state) {
    Key key = key(known, states.computeIfAbsent(state, any -> states.size()));
    long[] sets = visited.get(key);
    if (sets == null) {
      visited.put(key, optional.clone());
      return true;
    }
    for (int at = 0; at < sets.length; at += optional.length) {
      if (isSubset(sets, at, optional)) {
        return false;
      }
    }
    long[] more = Arrays.copyOf(sets, sets.length + optional.length);
    System.arraycopy(optional, 0, more, sets.length, optional.length);
    visited.put(key, more);
    return true;
  }

  /** The words of a set that are neither full nor empty, where they begin, and the state. */
  private static Key key(long[] known, int state) {
    int from = 0;
    while (from < known.length && known[from] == -1) {
      from++;
    }
    int to = known.length;
    while (to > from && known[to - 1] == 0) {
      to--;
    }
    long[] words = new long[to - from + 1];
    words[0] = (long) state << 32 | from;
    System.arraycopy(known, from, words, 1, to - from);
    return new Key(words);
  }

  private static boolean isSubset(long[] sets, int at, long[] of) {
    for (int i = 0; i < of.length; i++) {
      if ((sets[at + i] & ~of[i]) != 0) {
        return false;
      }
    }
    return true;
  }
}
