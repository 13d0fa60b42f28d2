package io.keyvalueserve.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Figures of a member's log.
 *
 * @param bytes its size
 * @param traceLines lines of stack traces
 * @param samples the first lines that came before a stack trace
 */
record HostileLog(long bytes, long traceLines, List<String> samples) {
  private static final int MOST_SAMPLES = 20;
  private static final int MOST_SHOWN = 300;
  private static final Pattern TRACE = Pattern.compile("^\\s+at [\\w.$/@]+\\(.*\\)$");

  /** Reads a log; one that is not there is empty. */
  static HostileLog read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return new HostileLog(0, 0, List.of());
    }
    long traces = 0;
    List<String> samples = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      String before = "";
      for (String line; (line = lines.readLine()) != null; before = line) {
        if (!TRACE.matcher(line).matches()) {
          continue;
        }
        traces++;
        if (!TRACE.matcher(before).matches() && samples.size() < MOST_SAMPLES) {
          samples.add(before.substring(0, Math.min(MOST_SHOWN, before.length())));
        }
      }
    }
    return new HostileLog(Files.size(file), traces, samples);
  }
}
