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
  /** The statement of a server that had nothing to load. */
  static final LoadStatement NONE = new LoadStatement(0, 0);

  private static final Pattern OWN =
      Pattern.compile("restored \\d+ records, (\\d+) bytes of log, in ([\\d.,]+) s");

  /** Behind the former, if it served before it had all. */
  private static final Pattern MEANWHILE =
      Pattern.compile("loaded \\d+ records, (\\d+) bytes, in ([\\d.,]+) s");

  /** Not what it says of the parts of a log. */
  private static final Pattern REDIS =
      Pattern.compile("DB loaded from (?:disk|append only file): ([\\d.]+) seconds");

  /**
   * The last one of either kind of server; none if it had nothing to load. Of a member that served
   * before it had all it is that and the rest.
   */
  static Optional<LoadStatement> in(String output) {
    LoadStatement last = null;
    int end = 0;
    for (Matcher own = OWN.matcher(output); own.find(); ) {
      last = own(own);
      end = own.end();
    }
    Matcher meanwhile = MEANWHILE.matcher(output);
    if (last != null && meanwhile.find(end)) {
      LoadStatement rest = own(meanwhile);
      last = new LoadStatement(last.seconds + rest.seconds, last.bytes + rest.bytes);
    }
    for (Matcher redis = REDIS.matcher(output); redis.find(); ) {
      last = new LoadStatement(Double.parseDouble(redis.group(1)), 0);
    }
    return Optional.ofNullable(last);
  }

  private static LoadStatement own(Matcher said) {
    double seconds = Double.parseDouble(said.group(2).replace(',', '.'));
    return new LoadStatement(seconds, Long.parseLong(said.group(1)));
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
