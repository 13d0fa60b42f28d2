package io.keyvalueserve.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jline.reader.impl.history.DefaultHistory;
import org.jspecify.annotations.Nullable;

/** Keeps the lines that were typed at the prompt, except those with an access key in them. */
final class SqlHistory extends DefaultHistory {
  private static final Pattern KEY = Pattern.compile("kvs_[A-Za-z0-9]{6,}");

  /**
   * Returns the file, which only its owner can read. It is made if it is not there.
   *
   * @return null if it cannot be made: then nothing is kept
   */
  static @Nullable Path file() {
    String state = System.getenv("XDG_STATE_HOME");
    Path folder =
        state == null || state.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".kvs")
            : Path.of(state, "kvs");
    try {
      Files.createDirectories(folder);
      return make(folder.resolve("sql_history"));
    } catch (IOException e) {
      return null;
    }
  }

  private static Path make(Path file) throws IOException {
    try {
      return Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      return file;
    }
  }

  @Override
  public void add(Instant time, String line) {
    if (!KEY.matcher(line).find()) {
      super.add(time, line);
    }
  }
}
