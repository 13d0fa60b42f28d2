package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a server's JVM: those that the launcher {@code ./kvs} gives to every user's. Only
 * the launcher knows them; the bench asks it.
 */
final class JvmOptions {
  /** The launcher; it names itself there for the commands that it starts. */
  static final String LAUNCHER = "KVS_LAUNCHER";

  private static final String CHOSEN = "KVS_JAVA_OPTS";

  private JvmOptions() {}

  /**
   * What users get who choose nothing; or who chose by {@code KVS_JAVA_OPTS}, as this bench did.
   */
  static List<String> usual() {
    return ask(null);
  }

  /** What users get who choose these options by {@code KVS_JAVA_OPTS}. */
  static List<String> with(List<String> chosen) {
    return ask(String.join(" ", chosen));
  }

  private static List<String> ask(@Nullable String chosen) {
    String launcher = System.getenv(LAUNCHER);
    if (launcher == null) {
      throw new BenchException(LAUNCHER + " does not name the launcher: run the bench with ./kvs");
    }
    ProcessBuilder command = new ProcessBuilder(launcher, "jvm-options");
    command.redirectError(ProcessBuilder.Redirect.INHERIT);
    if (chosen != null) {
      command.environment().put(CHOSEN, chosen);
    }
    try {
      Process process = command.start();
      String lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new BenchException(launcher + " did not tell the options of a server's JVM");
      }
      return new ArrayList<>(lines.lines().toList());
    } catch (IOException e) {
      throw new BenchException(launcher + " cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    }
  }
}
