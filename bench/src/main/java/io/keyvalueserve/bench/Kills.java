package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The kills of a round, and which acknowledged writes they may take.
 *
 * <p>Each write is on as many members as there are copies. Those that an earlier kill of the round
 * took may not have been made anew yet. So a write may be lost only if, a second after its
 * acknowledgement at the latest, as many members were killed as there are copies, and the last of
 * them not long before it: then it can have been in no log. Thread-safe.
 */
final class Kills {
  /** What {@code everysec} promises. */
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** So long an acknowledgement may be under way from a member that is dead by then. */
  private static final long LAG_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private record Kill(int member, long nanos) {}

  private final Promise promise;
  private final long windowNanos;
  private final int members;
  private final int copies;
  private final List<Kill> kills = new ArrayList<>();
  private final BitSet killed = new BitSet();

  /**
   * @param allowanceNanos how much more than a second {@code everysec} may take
   * @param copies how many members hold an entry
   */
  Kills(Promise promise, long allowanceNanos, int members, int copies) {
    this.promise = promise;
    this.windowNanos = SECOND_NANOS + allowanceNanos;
    this.members = members;
    this.copies = copies;
  }

  /** A member is about to be killed, while the writers write. */
  synchronized void add(int member, long nanos) {
    kills.add(new Kill(member, nanos));
    killed.set(member);
  }

  /** After so long an acknowledged write is in a log. */
  long windowNanos() {
    return windowNanos;
  }

  /** Whether a write that was acknowledged then may be missing. */
  boolean mayTake(long acknowledgedNanos) {
    OptionalLong age = ageNanos(acknowledgedNanos);
    return promise == Promise.EVERYSEC && age.isPresent() && age.getAsLong() <= windowNanos;
  }

  /** How old an acknowledged write was when the kills had taken all its copies, if they had. */
  synchronized OptionalLong ageNanos(long acknowledgedNanos) {
    if (kills.isEmpty()) {
      return OptionalLong.empty();
    }
    long acknowledged = acknowledgedNanos;
    if (killed.cardinality() == members) {
      acknowledged = Math.min(acknowledged, kills.getLast().nanos); // read when all were dead
    }
    BitSet gone = new BitSet();
    for (Kill kill : kills) {
      gone.set(kill.member);
      if (gone.cardinality() >= copies && kill.nanos >= acknowledged - LAG_NANOS) {
        return OptionalLong.of(Math.max(0, kill.nanos - acknowledged));
      }
    }
    return OptionalLong.empty();
  }

  /** When something was acknowledged, for a person. */
  synchronized String when(long acknowledgedNanos) {
    if (kills.isEmpty()) {
      return "without any kill";
    }
    double seconds = (kills.getFirst().nanos - acknowledgedNanos) / 1e9;
    return seconds >= 0
        ? String.format(Locale.ROOT, "%.3f s before the first kill", seconds)
        : String.format(Locale.ROOT, "%.3f s after the first kill", -seconds);
  }
}
