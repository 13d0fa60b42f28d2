package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {
  private static final String LIMITS =
      """
      Limit                     Soft Limit           Hard Limit           Units
      Max processes             unlimited            unlimited            processes
      Max open files            1024                 524288               files
      """;

  @Test
  void readsTheLimitThatHolds() {
    assertThat(OpenFiles.limit(LIMITS)).isEqualTo(1024);
    assertThat(OpenFiles.limit(LIMITS.replace("1024     ", "unlimited"))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void seesEveryFileThatIsOpened(@TempDir Path folder) throws IOException {
    List<AutoCloseable> files = new ArrayList<>();
    int before = OpenFiles.own().open();
    try {
      for (int i = 0; i < 50; i++) {
        files.add(Files.newOutputStream(folder.resolve("file-" + i)));
      }
      assertThat(OpenFiles.own().open() - before).isBetween(45, 55); // others open and close, too
    } finally {
      for (AutoCloseable file : files) {
        assertThatCode(file::close).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void saysWhichLimitIsTooLowAndWhatToDo() {
    OpenFiles.require("redis", 10_300, 10_000, "--connections");
    assertThatThrownBy(() -> OpenFiles.require("redis", 10_299, 10_000, "--connections"))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("the limit of redis is 10299")
        .hasMessageContaining("ulimit -n 10300")
        .hasMessageContaining("fewer: --connections");
  }
}
