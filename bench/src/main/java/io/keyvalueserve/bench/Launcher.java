package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The program {@code ./kvs} that started this bench. Only it knows with which options servers are
 * started, and where Maven is; the bench asks it.
 */
final class Launcher {
  /** Where it names itself for the commands that it starts. */
  private static final String VARIABLE = "KVS_LAUNCHER";

  private final String file;

  /**
   * @param file the program
   */
  Launcher(String file) {
    this.file = file;
  }

  /** The one that started this bench. */
  static Launcher own() {
    String file = System.getenv(VARIABLE);
    if (file == null) {
      throw new BenchException(VARIABLE + " does not name the launcher: run the bench with ./kvs");
    }
    return new Launcher(file);
  }

  /**
   * The lines that it answers. What else it has to say it says on standard error.
   *
   * @param what the question, and what it is about
   * @param environment variables to set for it
   * @throws BenchException if it does not know
   */
  List<String> ask(List<String> what, Map<String, String> environment) {
    List<String> line = new ArrayList<>(what);
    line.addFirst(file);
    ProcessBuilder command = new ProcessBuilder(line);
    command.redirectError(ProcessBuilder.Redirect.INHERIT);
    command.environment().putAll(environment);
    try {
      Process process = command.start();
      String lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new BenchException("'" + file + " " + what.getFirst() + "' failed");
      }
      return lines.lines().toList();
    } catch (IOException e) {
      throw new BenchException(file + " cannot be run", e);
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
  }
}
