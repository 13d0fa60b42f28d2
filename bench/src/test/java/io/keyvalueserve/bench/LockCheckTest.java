package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: each pair of clients that held one lock at once is found, and nothing else. */
class LockCheckTest {
  private static final long MILLI = 1_000_000;

  @Test
  void findsEachPairOfHoldsThatOverlap() {
    LockHold outer = hold(1, "a", 10, 50);
    LockHold inner = hold(2, "a", 20, 30);
    LockHold late = hold(3, "a", 25, 60);
    assertThat(LockCheck.overlaps(List.of(late, inner, outer)))
        .containsExactly(
            "lock of a: client 1 (resp) held it from 0.000 ms to 40.000 ms,"
                + " client 2 (resp) held it from 10.000 ms to 20.000 ms",
            "lock of a: client 1 (resp) held it from 0.000 ms to 40.000 ms,"
                + " client 3 (resp) held it from 15.000 ms to 50.000 ms",
            "lock of a: client 2 (resp) held it from 10.000 ms to 20.000 ms,"
                + " client 3 (resp) held it from 15.000 ms to 50.000 ms");
  }

  @Test
  void findsThatALockWasTakenWhichWasNeverReleased() {
    LockHold kept = new LockHold(1, "http", "a", 0, KeyOperation.NEVER);
    assertThat(LockCheck.overlaps(List.of(kept, hold(2, "a", 900, 901))))
        .containsExactly(
            "lock of a: client 1 (http) held it from 0.000 ms and never released it,"
                + " client 2 (resp) held it from 900.000 ms to 901.000 ms");
  }

  @Test
  void acceptsHoldsThatFollowEachOtherOrAreOfOneClientOrOfOtherKeys() {
    assertThat(
            LockCheck.overlaps(
                List.of(
                    hold(1, "a", 0, 10),
                    hold(2, "a", 10, 20),
                    hold(2, "a", 12, 18),
                    hold(3, "b", 5, 15),
                    hold(1, "a", 20, 30))))
        .isEmpty();
    assertThat(LockCheck.overlaps(List.of())).isEmpty();
  }

  @Test
  void refusesAHoldThatEndsBeforeItBegins() {
    assertThatThrownBy(() -> hold(1, "a", 2, 1)).hasMessageContaining("before it is acquired");
  }

  private static LockHold hold(int client, String key, long from, long to) {
    return new LockHold(client, "resp", key, from * MILLI, to * MILLI);
  }
}
