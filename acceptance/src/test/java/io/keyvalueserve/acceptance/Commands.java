package io.keyvalueserve.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs of this machine, bounded in time, and says clearly what went wrong. */
final class Commands {
  private static final int SHOWN_CHARACTERS = 8_000;

  private Commands() {}

  /** Whether the program is there: whether it answers when asked so. */
  static boolean answers(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return false;
      }
      return process.exitValue() == 0;
    } catch (IOException absent) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while looking for " + command[0], e);
    }
  }

  /**
   * Runs a program to its end.
   *
   * @param more goes into the program's environment; it is not shown when the program fails
   * @return what it wrote to its standard output
   * @throws AssertionError if it ends with another code than 0 or not in time, with what it wrote
   */
  static String run(
      Path folder, Map<String, String> more, Duration patience, List<String> command) {
    try {
      Path output = Files.createTempFile(folder, "stdout-", ".txt");
      Path errors = Files.createTempFile(folder, "stderr-", ".txt");
      try {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().putAll(more);
        Process process =
            builder.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
        boolean ended = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly().waitFor();
        }
        if (!ended || process.exitValue() != 0) {
          throw new AssertionError(
              String.join(" ", command)
                  + (ended
                      ? " ended with code " + process.exitValue()
                      : " did not end within " + patience)
                  + "\n--- standard output\n"
                  + end(output)
                  + "\n--- standard error\n"
                  + end(errors));
        }
        return Files.readString(output);
      } finally {
        Files.delete(output);
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(String.join(" ", command), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while running " + command.getFirst(), e);
    }
  }

  private static String end(Path file) throws IOException {
    String text = Files.readString(file);
    return text.substring(Math.max(0, text.length() - SHOWN_CHARACTERS));
  }
}
