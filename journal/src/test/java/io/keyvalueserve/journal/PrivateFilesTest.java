package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFilesTest {
  @TempDir private Path root;

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void whatADiskMakesIsItsOwnersOnly() throws IOException {
    Path directory = root.resolve("data").resolve("log");
    FileDisk disk = FileDisk.at(directory);
    disk.makeDirectory("chunks");
    disk.create("chunks/one", 4096).close();
    assertThat(mode(root.resolve("data"))).isEqualTo("rwx------");
    assertThat(mode(directory)).isEqualTo("rwx------");
    assertThat(mode(directory.resolve("chunks"))).isEqualTo("rwx------");
    assertThat(mode(directory.resolve("chunks/one"))).isEqualTo("rw-------");
  }

  @Test
  void takesTheRightsOfOthersFromWhatIsThere() throws IOException {
    Path folder = Files.createDirectory(root.resolve("open"));
    Path file = Files.writeString(folder.resolve("file"), "text");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(PrivateFiles.tighten(folder)).isEqualTo(2);
    assertThat(mode(folder)).isEqualTo("rwx------");
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(PrivateFiles.tighten(folder)).isZero();
  }
}
