package io.keyvalueserve.bench;

import io.keyvalueserve.bench.Violation.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges what was found in a key after kills.
 *
 * <p>The states that a key may be in are those that its writes left, one after the other: what was
 * found in it last, then each write that was not refused. The <em>floor</em> is the last of them
 * that cannot be lost. The key has to be in that state or a later one; whether a later one was
 * acknowledged does not matter. A value that expires leaves two states: itself until its time,
 * nothing after it. Not thread-safe.
 */
final class Judge {
  /** Clocks of servers go in steps. */
  private static final long SLACK_MILLIS = 20;

  private final Kills kills;
  private final long salt;

  /**
   * @param salt of the run's values
   */
  Judge(Kills kills, long salt) {
    this.kills = kills;
    this.salt = salt;
  }

  Judgement judge(KeyHistory history, Found found) {
    byte[] value = found.value();
    if (value == null) {
      return judgeNothing(history, found);
    }
    StampedValue stamp;
    try {
      stamp = StampedValue.read(value, salt);
    } catch (IllegalArgumentException e) {
      return broken(Kind.DAMAGED, history, String.valueOf(e.getMessage()));
    }
    return judgeValue(history, found, stamp);
  }

  private Judgement judgeNothing(KeyHistory history, Found found) {
    List<KeyWrite> states = states(history);
    for (int i = states.size() - 1; i >= 0; i--) {
      KeyWrite state = states.get(i);
      if (state.isDelete() || mayHaveExpired(state, found)) {
        return kept(states, i);
      }
    }
    Kind kind = states.getFirst().expires() ? Kind.GONE_EARLY : Kind.LOST;
    return broken(kind, history, "the key is not there");
  }

  private Judgement judgeValue(KeyHistory history, Found found, StampedValue stamp) {
    String what = "write " + stamp.sequence() + " of key " + stamp.number();
    KeyWrite write = history.write(stamp.sequence());
    if (stamp.number() != history.number()) {
      return broken(Kind.NEVER_WRITTEN, history, what);
    }
    List<KeyWrite> states = states(history);
    KeyWrite floor = states.getFirst();
    long overwritten = floor.isDelete() ? floor.sequence : floor.sequence - 1;
    if (stamp.sequence() > 0 && stamp.sequence() <= overwritten) {
      boolean gone = floor.isDelete() || mayHaveExpired(floor, found);
      return broken(gone ? Kind.RETURNED : Kind.OLDER, history, what);
    }
    if (write == null || write.valueBytes != stamp.length()) {
      return broken(Kind.NEVER_WRITTEN, history, what);
    }
    int index = states.indexOf(write);
    if (index < 0) {
      return broken(Kind.REFUSED, history, what);
    }
    return judgeExpiry(history, found, states, index);
  }

  private Judgement judgeExpiry(KeyHistory history, Found found, List<KeyWrite> states, int index) {
    KeyWrite write = states.get(index);
    String what = "write " + write + ", and PTTL says " + found.ttlMillis();
    if (!write.expires()) {
      return found.ttlMillis() == Found.FOR_EVER
          ? kept(states, index)
          : broken(Kind.WRONG_EXPIRY, history, what);
    }
    long latest = write.latestExpiryMillis(found.answeredMillis());
    if (found.askedMillis() > latest + SLACK_MILLIS) {
      return broken(
          Kind.EXPIRED, history, what + "; over for " + (found.askedMillis() - latest) + " ms");
    }
    if (found.ttlMillis() == Found.NOT_THERE && mayHaveExpired(write, found)) {
      return kept(states, index); // between the two questions
    }
    long from = found.askedMillis() + found.ttlMillis();
    long to = found.answeredMillis() + found.ttlMillis();
    if (found.ttlMillis() < 0
        || to < write.earliestExpiryMillis() - SLACK_MILLIS
        || from > latest + SLACK_MILLIS) {
      return broken(
          Kind.WRONG_EXPIRY,
          history,
          what
              + String.format(
                  "; expires %d..%d, has to %d..%d",
                  from, to, write.earliestExpiryMillis(), latest));
    }
    write.found(from - SLACK_MILLIS, to + SLACK_MILLIS);
    return kept(states, index);
  }

  /** From the floor on. */
  private List<KeyWrite> states(KeyHistory history) {
    List<KeyWrite> states = new ArrayList<>();
    states.add(history.base());
    for (KeyWrite write : history.writes()) {
      if (write.isAcknowledged() && !kills.mayTake(write.acknowledgedNanos())) {
        states.clear();
      }
      if (write.outcome() != KeyWrite.Outcome.REFUSED) {
        states.add(write);
      }
    }
    return states;
  }

  private static boolean mayHaveExpired(KeyWrite write, Found found) {
    return write.expires() && write.earliestExpiryMillis() <= found.answeredMillis() + SLACK_MILLIS;
  }

  private static Judgement kept(List<KeyWrite> states, int index) {
    return new Judgement.Kept(
        states.get(index),
        states.subList(index + 1, states.size()).stream()
            .filter(KeyWrite::isAcknowledged)
            .toList());
  }

  private Judgement broken(Kind kind, KeyHistory history, String found) {
    return new Judgement.Broken(
        new Violation(history.name(), kind, "found: " + found + "\n" + story(history)));
  }

  /** What was written, and what became of it: the last writes of many. */
  private String story(KeyHistory history) {
    StringBuilder story = new StringBuilder();
    story.append("before the round: ").append(before(history.base()));
    List<KeyWrite> writes = history.writes();
    int first = Math.max(0, writes.size() - 30);
    if (first > 0) {
      story.append("\n... ").append(first).append(" writes");
    }
    for (KeyWrite write : writes.subList(first, writes.size())) {
      story.append("\nwrite ").append(write).append(": ").append(outcome(write));
    }
    return story.toString();
  }

  private static String before(KeyWrite base) {
    return base.isDelete() ? "not there, after write " + base.sequence : "write " + base;
  }

  private String outcome(KeyWrite write) {
    return switch (write.outcome()) {
      case ACKNOWLEDGED -> "acknowledged " + kills.when(write.acknowledgedNanos());
      case REFUSED -> "refused";
      case IN_DOUBT -> "not answered";
    };
  }
}
