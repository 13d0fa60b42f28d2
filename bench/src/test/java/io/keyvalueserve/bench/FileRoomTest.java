package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileRoomTest {
  @Test
  void leavesALimitThatSuffices() {
    long limit = OpenFiles.own().limit();
    assertThat(FileRoom.wanting(limit)).isEqualTo(new FileRoom(limit, List.of()));
  }

  /** Whether the limit can be raised depends on who runs this; what is promised has to hold. */
  @Test
  void promisesWhatAChildProcessMayReallyOpen() throws Exception {
    FileRoom room = FileRoom.wanting(OpenFiles.own().limit() + 10);
    List<String> command = new ArrayList<>(room.before());
    command.addAll(List.of("/bin/sh", "-c", "ulimit -Hn"));
    Process child = new ProcessBuilder(command).start();
    String limit = new String(child.getInputStream().readAllBytes(), US_ASCII).strip();
    assertThat(Long.parseLong(limit)).isGreaterThanOrEqualTo(room.limit());
  }
}
