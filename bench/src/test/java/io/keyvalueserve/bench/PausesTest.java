package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PausesTest {
  @Test
  void countsThoseWithinTheTime(@TempDir Path folder) throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("safepoints.log"),
            """
            [1000ms] Safepoint "G1CollectForAllocation", Time since last: 5 ns, Total: 9000000 ns
            [2000ms] Safepoint "G1CollectForAllocation", Time since last: 5 ns, Total: 2000000 ns
            [2500ms] not a safepoint
            [3000ms] Safepoint "ICBufferFull", Time since last: 5 ns, Total: 1000000 ns, Threads: 1
            [4000ms] Safepoint "G1PauseRemark", Time since last: 5 ns, Total: 8000000 ns
            """);
    Pauses pauses = Pauses.read(log, 1500, 3500);
    assertThat(pauses).isEqualTo(new Pauses(2, 2, 2, 3));
    assertThat(Pauses.read(log, 5000, 6000).count()).isZero();
  }
}
