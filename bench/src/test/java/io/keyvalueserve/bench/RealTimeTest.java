package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class RealTimeTest {
  /** Where proc_pid_stat(5) has the policy, counted from what follows the name. */
  private static final int POLICY = 41 - 3;

  private static final int OTHER = 0;
  private static final int FIFO = 1;

  private record Seen(boolean entered, int policy) {}

  /** Where it is not allowed, as in most containers, this shows that nothing is changed then. */
  @Test
  void theCallingThreadAloneRunsInRealTimeIfThatIsSaid() throws Exception {
    FutureTask<Seen> attempt = new FutureTask<>(() -> new Seen(RealTime.enter(), policy()));
    Thread.ofPlatform().start(attempt);
    Seen seen = attempt.get();
    assertThat(seen.policy()).isEqualTo(seen.entered() ? FIFO : OTHER);
    assertThat(seen.entered()).isEqualTo(RealTime.isAllowed());
    assertThat(policy()).isEqualTo(OTHER);
  }

  private static int policy() throws Exception {
    String stat = Files.readString(Path.of("/proc/thread-self/stat"));
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[POLICY]);
  }
}
