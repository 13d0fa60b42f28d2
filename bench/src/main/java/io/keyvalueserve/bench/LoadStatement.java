package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server says of having loaded its data.
 *
 * @param seconds how long that took
 * @param bytes that it read from its disk; 0 if it does not say
 */
record LoadStatement(double seconds, long bytes) {
  /** Of a server that had nothing to load. */
  static final LoadStatement NONE = new LoadStatement(0, 0);

  private static final Pattern OWN =
      Pattern.compile("restored \\d+ records, (\\d+) bytes of log, in ([\\d.,]+) s");

  /** Not what it says of the parts of a log. */
  private static final Pattern REDIS =
      Pattern.compile("DB loaded from (?:disk|append only file): ([\\d.]+) seconds");

  /** The last one of either kind of server; none if it had nothing to load. */
  static Optional<LoadStatement> in(String output) {
    LoadStatement last = null;
    for (Matcher own = OWN.matcher(output); own.find(); ) {
      double seconds = Double.parseDouble(own.group(2).replace(',', '.'));
      last = new LoadStatement(seconds, Long.parseLong(own.group(1)));
    }
    for (Matcher redis = REDIS.matcher(output); redis.find(); ) {
      last = new LoadStatement(Double.parseDouble(redis.group(1)), 0);
    }
    return Optional.ofNullable(last);
  }

  /**
   * As in a file.
   *
   * @param from where what counts begins
   */
  static Optional<LoadStatement> in(Path file, long from) throws IOException {
    try (RandomAccessFile output = new RandomAccessFile(file.toFile(), "r")) {
      byte[] text = new byte[Math.toIntExact(output.length() - from)];
      output.seek(from);
      output.readFully(text);
      return in(new String(text, StandardCharsets.UTF_8));
    }
  }

  /** What it read in a second, in MiB; 0 if it does not say. */
  double mibPerSecond() {
    return bytes / Math.max(seconds, 1e-9) / (1 << 20);
  }
}
