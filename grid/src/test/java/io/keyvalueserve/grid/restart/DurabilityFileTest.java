package io.keyvalueserve.grid.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurabilityFileTest {
  @TempDir private Path directory;

  @Test
  void whatIsWrittenIsRead() throws IOException {
    DurabilityFile file = new DurabilityFile(directory);
    assertThat(file.read()).isEmpty();
    Map<String, Durability> maps =
        Map.of("a/b", Durability.NONE, "a/ü", Durability.EVERYSEC, "c/d", Durability.ALWAYS);
    file.write(maps);
    assertThat(new DurabilityFile(directory).read()).isEqualTo(maps);
    file.write(Map.of());
    assertThat(file.read()).isEmpty();
  }

  @Test
  void damageIsTold() throws IOException {
    DurabilityFile file = new DurabilityFile(directory);
    file.write(Map.of("a/b", Durability.NONE));
    Path path = directory.resolve("durability");
    byte[] bytes = Files.readAllBytes(path);
    bytes[bytes.length - 1] ^= 4;
    Path _ = Files.write(path, bytes);
    assertThatThrownBy(file::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(path.toString());
  }

  /** They are on disks. */
  @Test
  void codesStay() {
    assertThat(Durability.NONE.code()).isEqualTo(1);
    assertThat(Durability.EVERYSEC.code()).isEqualTo(2);
    assertThat(Durability.ALWAYS.code()).isEqualTo(3);
    for (Durability durability : Durability.values()) {
      assertThat(Durability.ofCode(durability.code())).isEqualTo(durability);
      assertThat(Durability.ofText(durability.text())).contains(durability);
    }
    assertThat(Durability.ofText("Always")).isEmpty();
  }
}
