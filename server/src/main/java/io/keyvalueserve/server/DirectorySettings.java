package io.keyvalueserve.server;

import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.FileTrouble;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Checks the directories that settings name before anything else uses them. */
final class DirectorySettings {
  private DirectorySettings() {}

  /**
   * Makes a directory unless it is there.
   *
   * @param setting names it in {@code kvs.yaml}
   * @param option names it on the command line
   * @throws StartException if it cannot be made, read or written
   */
  static void require(String setting, String option, Path directory) {
    try {
      FileDisk.makeDirectories(directory);
    } catch (IOException e) {
      String at =
          e instanceof FileSystemException failed && failed.getFile() != null
              ? failed.getFile()
              : directory.toString();
      throw refused(setting, option, directory, "at " + at + " " + FileTrouble.of(e), e);
    }
    if (!Files.isWritable(directory) || !Files.isReadable(directory)) {
      throw refused(
          setting,
          option,
          directory,
          "the server's account may not write there, or its file system is read-only",
          null);
    }
  }

  private static StartException refused(
      String setting, String option, Path directory, String found, @Nullable IOException cause) {
    return new StartException(
        setting
            + ": needs a directory that the server may write to, and not "
            + directory
            + ": "
            + found
            + "; mend that, or give another directory with "
            + option,
        cause);
  }
}
