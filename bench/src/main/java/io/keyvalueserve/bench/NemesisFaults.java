package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * The faults of one round: one, or two of different kinds that overlap.
 *
 * @param each one or two
 * @param gapMillis how long after the first one the second begins; 0 if there is none
 */
record NemesisFaults(List<NemesisFault> each, long gapMillis) {
  private static final Set<NemesisKind> USUAL =
      EnumSet.of(NemesisKind.CUT, NemesisKind.PAUSE, NemesisKind.KILL);

  private static final long LONGEST_GAP_MILLIS = 2_000;
  private static final int MOST_DRAWS = 1_000;

  NemesisFaults {
    each = List.copyOf(each);
  }

  /**
   * Draws those of a round.
   *
   * @param kinds those that may be drawn, one at least
   * @param members how many there are, three at least
   */
  static NemesisFaults draw(
      Set<NemesisKind> kinds, int members, Durability durability, SplittableRandom random) {
    Set<NemesisKind> single = EnumSet.copyOf(kinds);
    boolean mixes = single.remove(NemesisKind.MIXED);
    if (mixes && (single.isEmpty() || random.nextBoolean())) {
      return two(mixable(single, durability), members, durability, random);
    }
    return new NemesisFaults(List.of(NemesisFault.draw(single, members, durability, random)), 0);
  }

  /**
   * The kinds that can be together. A kill together with another fault takes both copies of an
   * entry away, so it needs {@link Durability#ALWAYS}.
   */
  private static Set<NemesisKind> mixable(Set<NemesisKind> named, Durability durability) {
    Set<NemesisKind> some = EnumSet.copyOf(named.size() > 1 ? named : USUAL);
    if (durability != Durability.ALWAYS) {
      some.remove(NemesisKind.KILL);
      if (some.size() < 2) {
        some.addAll(EnumSet.of(NemesisKind.CUT, NemesisKind.PAUSE));
      }
    }
    return some;
  }

  private static NemesisFaults two(
      Set<NemesisKind> kinds, int members, Durability durability, SplittableRandom random) {
    NemesisFault first = NemesisFault.draw(kinds, members, durability, random);
    for (int i = 0; i < MOST_DRAWS; i++) {
      NemesisFault second = NemesisFault.draw(kinds, members, durability, random);
      if (canOverlap(first, second)) {
        long gap = random.nextLong(Math.min(first.millis(), LONGEST_GAP_MILLIS));
        return new NemesisFaults(List.of(first, second), gap);
      }
      first = second;
    }
    throw new IllegalStateException("no two faults of " + kinds + " can overlap");
  }

  /** Whether two have different kinds, and no process is stopped that is killed, too. */
  private static boolean canOverlap(NemesisFault one, NemesisFault other) {
    NemesisKind a = one.what().kind;
    NemesisKind b = other.what().kind;
    if (a == b) {
      return false;
    }
    boolean signalBoth = Set.of(a, b).equals(Set.of(NemesisKind.PAUSE, NemesisKind.KILL));
    return !signalBoth
        || (!other.hits(one.member()) && (one.other() == 0 || !other.hits(one.other())));
  }

  /** Whether one of them is one of this member's. */
  boolean hits(int number) {
    return each.stream().anyMatch(one -> one.hits(number));
  }

  /** Their name in tables: of two that of their kinds, as there are many pairs. */
  String name() {
    return each.size() == 1
        ? each.getFirst().what().text
        : each.stream()
            .map(one -> one.what().kind.toString())
            .sorted()
            .collect(Collectors.joining(" and "));
  }

  @Override
  public String toString() {
    List<String> texts = new ArrayList<>();
    each.forEach(one -> texts.add(one.toString()));
    return String.join(" + ", texts);
  }
}
