package io.keyvalueserve.server.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Times as people write them: {@code 90s}, {@code 30m}, {@code 12h}, {@code 7d}, or a moment. */
final class TimeText {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})([smhd])");

  private TimeText() {}

  /**
   * So long from now, or the moment itself.
   *
   * @param option whose value it is, for the message
   * @throws ParameterException if it is neither
   */
  static Instant after(String text, String option, CommandLine command) {
    return duration(text)
        .map(duration -> Instant.now().plus(duration).truncatedTo(ChronoUnit.MILLIS))
        .orElseGet(() -> moment(text, option, command));
  }

  /** So long ago, or the moment itself; see {@link #after}. */
  static Instant ago(String text, String option, CommandLine command) {
    return duration(text)
        .map(duration -> Instant.now().minus(duration).truncatedTo(ChronoUnit.MILLIS))
        .orElseGet(() -> moment(text, option, command));
  }

  private static Optional<Duration> duration(String text) {
    Matcher duration = DURATION.matcher(text);
    if (!duration.matches()) {
      return Optional.empty();
    }
    long amount = Long.parseLong(duration.group(1));
    return Optional.of(
        switch (duration.group(2)) {
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        });
  }

  private static Instant moment(String text, String option, CommandLine command) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new ParameterException(
          command,
          option + " '" + text + "' is no time: use 90s, 30m, 12h, 7d or 2030-01-31T12:00:00Z");
    }
  }
}
