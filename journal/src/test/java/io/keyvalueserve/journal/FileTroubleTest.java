package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTroubleTest {
  private interface Use {
    Object file() throws IOException;
  }

  private static String trouble(Use use) {
    return FileTrouble.of(catchThrowableOfType(IOException.class, use::file));
  }

  @Test
  void filesThatCannotBeUsedAreToldInWords(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("file"), new byte[] {(byte) 0xff});
    assertThat(trouble(() -> Files.readString(directory.resolve("none"))))
        .isEqualTo("there is no such file");
    assertThat(trouble(() -> Files.readString(file.resolve("within"))))
        .isEqualTo("a file is in the place of a directory");
    assertThat(trouble(() -> Files.readString(directory))).isEqualTo("it is a directory");
    assertThat(trouble(() -> Files.readString(file))).isEqualTo("it is not text in UTF-8");
    assertThat(trouble(() -> Files.createDirectory(file))).isEqualTo("a file is there");
  }

  @Test
  void disksThatTakeNothingAreToldInWords() {
    assertThat(FileTrouble.of(new IOException("No space left on device")))
        .isEqualTo("the disk is full");
    assertThat(FileTrouble.of(new FileSystemException("f", null, "No space left on device")))
        .isEqualTo("the disk is full");
    assertThat(FileTrouble.of(new NoSpaceException("no space for f")))
        .isEqualTo("the disk is full");
    assertThat(FileTrouble.of(new FileSystemException("f", null, "Read-only file system")))
        .isEqualTo("its file system is read-only");
    assertThat(FileTrouble.of(new AccessDeniedException("f")))
        .isEqualTo("this account may not access it");
    assertThat(FileTrouble.naming(new AccessDeniedException("f")))
        .isEqualTo("f: this account may not access it");
    assertThat(FileTrouble.naming(new IOException("odd"))).isEqualTo("odd");
    assertThat(FileTrouble.of(new IOException("odd"))).isEqualTo("odd");
    assertThat(FileTrouble.of(new IOException())).isEqualTo("IOException");
  }
}
