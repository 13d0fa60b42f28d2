package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A waiter for a stream is told once, and only the truth. */
class GroupCommitTest {
  private final GroupCommit commit = new GroupCommit();
  private final List<String> told = new ArrayList<>();

  @Test
  void whoIsCoveredIsToldAndTheOthersWaitOn() {
    enter("a", 10, false);
    enter("b", 30, false);
    enter("c", 20, false);
    commit.complete(20);
    assertThat(told).containsExactly("a durable");
    assertThat(commit.isAwaited()).isTrue();
    commit.complete(31);
    assertThat(told).containsExactlyInAnyOrder("a durable", "b durable", "c durable");
    assertThat(commit.isAwaited()).isFalse();
  }

  @Test
  void whoWaitsForRoomWaitsOnWhenTheOthersGiveUp() {
    enter("patient", 10, true);
    enter("early", 20, false);
    commit.complete(5); // both are behind it now
    enter("late", 30, false);
    commit.giveUp(new JournalFullException("full", null));
    assertThat(told).containsExactlyInAnyOrder("early full", "late full");
    assertThat(commit.isAwaited()).isTrue();
    commit.complete(11);
    assertThat(told).hasSize(3).endsWith("patient durable");
  }

  @Test
  void aFailureEndsAllWaiting() {
    enter("patient", 10, true);
    enter("other", 20, false);
    commit.fail(new JournalFailedException("broken", null));
    assertThat(told).containsExactlyInAnyOrder("patient broken", "other broken");
    commit.complete(30);
    assertThat(told).hasSize(2);
  }

  private void enter(String name, long position, boolean patient) {
    DurabilityWaiter waiter =
        new DurabilityWaiter() {
          @Override
          protected void durable() {
            told.add(name + " durable");
          }

          @Override
          protected void failed(JournalException e) {
            told.add(name + " " + e.getMessage());
          }

          @Override
          protected boolean waitsForRoom() {
            return patient;
          }
        };
    waiter.position = position;
    commit.enter(waiter);
  }
}
