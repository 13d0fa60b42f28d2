package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class PrecedenceTest {
  /** Where proc_pid_stat(5) has it, counted from what follows the name. */
  private static final int NICE = 19 - 3;

  private record Seen(boolean taken, int nice) {}

  /** Where it is not allowed, as in most containers, this shows that nothing is changed then. */
  @Test
  void theCallingThreadAloneComesFirstIfThatIsSaid() throws Exception {
    int usual = nice();
    FutureTask<Seen> attempt = new FutureTask<>(() -> new Seen(Precedence.take(), nice()));
    Thread.ofPlatform().start(attempt);
    Seen seen = attempt.get();
    assertThat(seen.nice()).isEqualTo(seen.taken() ? -20 : usual);
    assertThat(seen.taken()).isEqualTo(Precedence.isAllowed());
    assertThat(nice()).isEqualTo(usual);
  }

  private static int nice() throws Exception {
    String stat = Files.readString(Path.of("/proc/thread-self/stat"));
    return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[NICE]);
  }
}
