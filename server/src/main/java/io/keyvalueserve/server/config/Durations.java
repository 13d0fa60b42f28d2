package io.keyvalueserve.server.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as a person writes them: {@code 250ms}, {@code 90s}, {@code 12h}, {@code 7d}. */
public final class Durations {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(ms|[smhd])");

  private Durations() {}

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
