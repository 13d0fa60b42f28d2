package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final long SECOND = 1_000_000_000L;

  private final StringWriter err = new StringWriter();
  private long now;

  private Progress progress(boolean isTerminal) {
    return new Progress(new PrintWriter(err), isTerminal, () -> 100, () -> now);
  }

  @Test
  void saysHowFarItIsAndHowLongItTakes() {
    assertThat(Progress.line("reading", 512 << 20, 2L << 30, SECOND))
        .isEqualTo("reading: 512 MiB of 2 GiB, 512 MiB/s, 3 s left");
    assertThat(Progress.line("compacting", 0, 100, 0)).isEqualTo("compacting: 0 B of 100 B, 0 B/s");
    assertThat(Progress.line("receiving", 3 << 20, Progress.UNKNOWN, SECOND))
        .isEqualTo("receiving: 3 MiB, 3 MiB/s");
  }

  @Test
  void theBarIsAsLongAsThereIsRoomAndLeftOutWithoutAny() {
    String line = "reading: 512 MiB of 2 GiB, 512 MiB/s, 3 s left";
    assertThat(Progress.bar("reading", 512 << 20, 2L << 30, SECOND, 100))
        .isEqualTo("[#######-----------------------]  25 % " + line);
    assertThat(Progress.bar("reading", 512 << 20, 2L << 30, SECOND, 70)).hasSize(69).contains("[#");
    assertThat(Progress.bar("reading", 512 << 20, 2L << 30, SECOND, 60)).isEqualTo(line);
    assertThat(Progress.bar("reading", 512 << 20, 2L << 30, SECOND, 20))
        .isEqualTo("reading: 512 MiB o…");
    assertThat(Progress.bar("reading", 3L << 30, 2L << 30, SECOND, 100)).contains("100 %");
  }

  @Test
  void onATerminalOneLineChangesAndIsGoneAtTheEnd() {
    try (Progress progress = progress(true)) {
      now = SECOND / 10;
      progress.tell("reading", 1, 2, now);
      assertThat(err.toString()).as("too soon").isEmpty();
      now = SECOND / 4;
      progress.tell("reading", 1, 2, now);
      progress.tell("reading", 2, 2, now);
      assertThat(err.toString()).startsWith("\r\u001b[K[#").doesNotContain("\n");
    }
    assertThat(err.toString()).endsWith("\r\u001b[K").contains(" 50 %").doesNotContain("100 %");
  }

  @Test
  void otherUnitsThanBytesAreTextOfOneLine() {
    try (Progress progress = progress(true)) {
      now = SECOND / 4;
      progress.note("5 of 10 entries");
      progress.note("too soon");
      assertThat(err.toString()).isEqualTo("\r\u001b[K5 of 10 entries");
      now = SECOND;
      progress.note("x".repeat(200));
    }
    assertThat(err.toString()).doesNotContain("too soon", "x".repeat(100)).endsWith("\r\u001b[K");
  }

  @Test
  void elsewhereItIsALineEveryFiveSeconds() {
    try (Progress progress = progress(false)) {
      for (now = 0; now <= 11 * SECOND; now += SECOND) {
        progress.tell("reading", now, 20 * SECOND, now);
      }
    }
    assertThat(err.toString().lines()).hasSize(2);
    assertThat(err.toString()).doesNotContain("\u001b").doesNotContain("#");
  }
}
