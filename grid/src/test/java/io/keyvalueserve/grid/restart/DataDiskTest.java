package io.keyvalueserve.grid.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.SmallFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which disk a data directory is on, and that small files keep to it too. */
class DataDiskTest {
  private static final byte[] CONTENT = "content".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path directory;

  @AfterEach
  void chooseNothing() {
    System.clearProperty(DataDisk.PROPERTY);
  }

  @Test
  void isTheFileSystemUnlessToldOtherwise() throws IOException {
    assertThat(DataDisk.at(directory)).isInstanceOf(FileDisk.class);
  }

  @Test
  void aFileReachesTheFileSystemWhenItIsSynced() throws IOException {
    System.setProperty(DataDisk.PROPERTY, "unsynced-is-lost");
    new AtomicFile(directory, "f", 1).write(CONTENT);
    assertThat(directory.resolve("f")).isNotEmptyFile();
    assertThat(new AtomicFile(directory, "f", 1).read()).hasValue(CONTENT);
    System.clearProperty(DataDisk.PROPERTY);
    assertThat(new AtomicFile(directory, "f", 1).read()).hasValue(CONTENT);
  }

  @Test
  void aFileIsLostThatANeverSyncedDiskCallsCertain() throws IOException {
    System.setProperty(DataDisk.PROPERTY, "never-synced");
    new AtomicFile(directory, "f", 1).write(CONTENT);
    assertThat(new AtomicFile(directory, "f", 1).read()).as("in this process").hasValue(CONTENT);
    assertThat(directory.resolve("f")).doesNotExist();
    assertThat(DataDisk.at(directory)).isSameAs(DataDisk.at(directory));
  }

  @Test
  void aFileThatWasNotSyncedIsNotThere() throws IOException {
    System.setProperty(DataDisk.PROPERTY, "unsynced-is-lost:7");
    DataDisk.at(directory).create("f", 0).close();
    assertThat(DataDisk.at(directory).exists("f")).isTrue();
    SmallFile.replace(DataDisk.at(directory), "g", CONTENT);
    assertThat(directory.resolve("g")).hasBinaryContent(CONTENT);
  }

  @Test
  void aValueThatMeansNothingIsRefusedWithThoseThatDo() {
    for (String value : new String[] {"", "true", "unsynced-is-lost:", "unsynced-is-lost:x"}) {
      System.setProperty(DataDisk.PROPERTY, value);
      assertThatThrownBy(() -> DataDisk.at(directory))
          .isInstanceOf(RestartException.class)
          .hasMessageContaining("unsynced-is-lost:SEED")
          .hasMessageContaining("never-synced");
    }
  }
}
