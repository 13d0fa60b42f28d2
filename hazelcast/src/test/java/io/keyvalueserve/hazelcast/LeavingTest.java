package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import io.keyvalueserve.grid.quorum.SplitMode;
import io.keyvalueserve.grid.restart.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a member that is asked to end does so, whatever becomes of the others meanwhile. */
@Timeout(120)
final class LeavingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path root;

  /** The others go down a moment before: its lease still holds, and nobody can take anything. */
  @Test
  void theLastOfSeveralThatEndAtOnceDoesNotWaitForTheOthers() {
    DoorMember first = member(0, List.of());
    String join = "127.0.0.1:" + first.member.memberPort();
    try (DoorMember second = member(1, List.of(join));
        DoorMember third = member(2, List.of(join));
        first) {
      await().atMost(PATIENCE).until(() -> isComplete(first, second, third));
      terminate(second);
      terminate(third);
      long begun = System.nanoTime();
      first.close();
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(PATIENCE);
    }
  }

  private static void terminate(DoorMember member) {
    for (HazelcastInstance each : HazelcastInstanceFactory.getAllHazelcastInstances()) {
      if (each.getCluster().getLocalMember().getAddress().getPort() == member.member.memberPort()) {
        each.getLifecycleService().terminate();
      }
    }
  }

  private static boolean isComplete(DoorMember... members) {
    for (DoorMember member : members) {
      if (member.member.quorum().voters().size() != members.length || !member.member.isSafe()) {
        return false;
      }
    }
    return true;
  }

  private DoorMember member(int number, List<String> join) {
    return new DoorMember(
        Restarts.in(root.resolve("m" + number), Durability.EVERYSEC), join, SplitMode.CONSISTENT);
  }
}
