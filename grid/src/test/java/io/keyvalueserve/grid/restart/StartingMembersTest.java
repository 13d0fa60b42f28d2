package io.keyvalueserve.grid.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whether all members that hold data are starting, as a witness finds out. */
final class StartingMembersTest {
  private static final UUID A = new UUID(1, 1);
  private static final UUID B = new UUID(2, 2);

  private final StartingMembers members = new StartingMembers();

  private boolean asks(UUID who, double seconds, Set<UUID> all) {
    return members.areAll(who, all, Math.round(seconds * TimeUnit.SECONDS.toNanos(1)));
  }

  @Test
  void allStartThatHaveAskedForAWhile() {
    boolean all = false;
    for (double now = 0; now < 3; now += 0.5) {
      all = asks(A, now, Set.of(A, B)) || asks(B, now, Set.of(A, B));
      assertThat(all).isFalse();
    }
    assertThat(asks(A, 3.1, Set.of(A, B))).isTrue();
  }

  @Test
  void oneThatDoesNotAskTakesPart() {
    for (double now = 0; now < 10; now += 0.5) {
      assertThat(asks(A, now, Set.of(A, B))).isFalse();
    }
  }

  @Test
  void whoHasBegunMeanwhileTakesPart() {
    for (double now = 0; now < 2; now += 0.5) {
      assertThat(asks(A, now, Set.of(A, B))).isFalse();
      assertThat(asks(B, now, Set.of(A, B))).isFalse();
    }
    for (double now = 2; now < 10; now += 0.5) {
      assertThat(asks(B, now, Set.of(A, B))).isFalse();
    }
  }
}
