package io.keyvalueserve.server.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as a person writes them: {@code 250ms}, {@code 90s}, {@code 12h}, {@code 7d}. */
public final class Durations {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(ms|[smhd])");

  private Durations() {}

  /** Returns the text of a length of time: a whole number of the largest unit that it is of. */
  public static String text(Duration duration) {
    long millis = duration.toMillis();
    return millis % 1_000 != 0 ? millis + "ms" : inSeconds(millis / 1_000);
  }

  private static String inSeconds(long seconds) {
    if (seconds == 0 || seconds % 60 != 0) {
      return seconds + "s";
    }
    long minutes = seconds / 60;
    if (minutes % 60 != 0) {
      return minutes + "m";
    }
    long hours = minutes / 60;
    return hours % 24 != 0 ? hours + "h" : hours / 24 + "d";
  }

  /** Reads a whole number of one unit: ms, s, m, h or d; empty if it is none. */
  public static Optional<Duration> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    long amount = Long.parseLong(parts.group(1));
    return Optional.of(
        switch (parts.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        });
  }
}
