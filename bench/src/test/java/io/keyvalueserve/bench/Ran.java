package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.cli.KvsCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands as they are run from a shell. Where one ends with another exit code than it should, the
 * failure has the last lines that it said: they tell why. Not for two at once: what a process says
 * is one stream.
 */
final class Ran {
  private static final int LINES = 12;
  private static final ObjectMapper JSON = new ObjectMapper();

  private Ran() {}

  /** That it ends with an exit code. */
  static void endsWith(int exitCode, List<String> words) {
    PrintStream usual = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int ended;
    try (PrintStream heard = new PrintStream(said, true, UTF_8)) {
      System.setErr(heard);
      ended = KvsCommand.run(words.toArray(String[]::new));
    } finally {
      System.setErr(usual);
    }
    String all = said.toString(UTF_8);
    usual.print(all);
    List<String> lines = all.lines().toList();
    assertThat(ended)
        .as(String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size())))
        .isEqualTo(exitCode);
  }

  /**
   * Runs a bench for moments, with few entries, and has its results in the folder of a file.
   *
   * @return what that file says then
   */
  static JsonNode shortly(String command, String options, Path file) throws IOException {
    String line = "bench " + command + " " + options + " --seconds 0.2 --warm-up 0.2 --entries 500";
    List<String> words = new ArrayList<>(List.of((line + " --results").split(" ")));
    words.add(file.resolveSibling("").toString());
    endsWith(0, words);
    assertThat(file).exists();
    return JSON.readTree(file.toFile());
  }
}
