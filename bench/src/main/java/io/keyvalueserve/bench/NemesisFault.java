package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One fault.
 *
 * @param what is done
 * @param member to whom, from 1; 0 for all
 * @param other the other one of two, or 0
 * @param millis how long it lasts
 * @param stepSeconds how far the clock is set, negative for back
 * @param link how bad a slow link is; null for other faults
 */
record NemesisFault(
    What what, int member, int other, long millis, int stepSeconds, @Nullable SlowLink link) {
  private static final long SHORTEST_MILLIS = 300;
  private static final long LONGEST_MILLIS = 12_000;
  private static final long LONGEST_DOWN_MILLIS = 8_000;
  private static final int SHORTEST_STEP_SECONDS = 60;
  static final int LONGEST_STEP_SECONDS = 3_600;

  /** In which the cluster has found the first loss, and has begun to make other backups. */
  private static final long LONGEST_GAP_MILLIS = 2_000;

  /** The faults there are, with their names in tables. */
  enum What {
    CUT(NemesisKind.CUT, "one cut off"),
    ONE_WAY(NemesisKind.CUT, "one way between two cut"),
    APART(NemesisKind.CUT, "two apart"),
    ALL_APART(NemesisKind.CUT, "all apart"),
    FLAPPING(NemesisKind.CUT, "one cable flapping"),
    STOPPED(NemesisKind.PAUSE, "one stopped"),
    TWO_STOPPED(NemesisKind.PAUSE, "two stopped"),
    KILLED(NemesisKind.KILL, "one killed"),
    TWO_KILLED(NemesisKind.KILL, "two killed"),
    ENDED(NemesisKind.KILL, "one ended in order"),
    CLOCK(NemesisKind.CLOCK, "one clock set"),
    SLOW(NemesisKind.SLOW, "one link slow"),
    TWO_SLOW(NemesisKind.SLOW, "two links slow"),
    ALL_SLOW(NemesisKind.SLOW, "all links slow");

    final NemesisKind kind;
    final String text;

    What(NemesisKind kind, String text) {
      this.kind = kind;
      this.text = text;
    }

    boolean hasTwo() {
      return switch (this) {
        case ONE_WAY, APART, TWO_STOPPED, TWO_KILLED, TWO_SLOW -> true;
        default -> false;
      };
    }

    boolean hasAll() {
      return this == ALL_APART || this == ALL_SLOW;
    }
  }

  /**
   * Draws one.
   *
   * @param kinds those that may be drawn, one at least
   * @param members how many there are, two at least
   * @param durability two members are killed only with {@link Durability#ALWAYS}: else what both
   *     had not synced is lost, as it may be
   */
  static NemesisFault draw(
      Set<NemesisKind> kinds, int members, Durability durability, SplittableRandom random) {
    List<What> all = new ArrayList<>(List.of(What.values()));
    all.removeIf(each -> !kinds.contains(each.kind));
    if (durability != Durability.ALWAYS) {
      all.remove(What.TWO_KILLED);
    }
    What drawn = all.get(random.nextInt(all.size()));
    int member = 1 + random.nextInt(members);
    int other = 1 + (member + random.nextInt(members - 1)) % members;
    long longest = drawn.kind == NemesisKind.KILL ? LONGEST_DOWN_MILLIS : LONGEST_MILLIS;
    long millis = SHORTEST_MILLIS + random.nextLong(longest);
    int step = random.nextInt(SHORTEST_STEP_SECONDS, LONGEST_STEP_SECONDS + 1);
    int direction = random.nextBoolean() ? 1 : -1;
    SlowLink link = SlowLink.draw(random);
    return new NemesisFault(
        drawn,
        drawn.hasAll() ? 0 : member,
        drawn.hasTwo() ? other : 0,
        millis,
        drawn == What.CLOCK ? direction * step : 0,
        drawn.kind == NemesisKind.SLOW ? link : null);
  }

  /** How long after the first of two the second is killed: a part of the time that was drawn. */
  long gapMillis() {
    return millis % Math.min(millis, LONGEST_GAP_MILLIS);
  }

  /** Whether it is one of this member's. */
  boolean hits(int number) {
    return member == 0 || member == number || other == number;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(what.text);
    if (member != 0) {
      text.append(": ").append(member);
    }
    if (other != 0) {
      text.append(what == What.ONE_WAY ? " to " : " and ").append(other);
    }
    if (what == What.CLOCK) {
      text.append(String.format(Locale.ROOT, " by %+d s", stepSeconds));
    }
    if (link != null) {
      text.append(" (").append(link).append(')');
    }
    return text.append(String.format(Locale.ROOT, ", %.1f s", millis / 1e3)).toString();
  }
}
