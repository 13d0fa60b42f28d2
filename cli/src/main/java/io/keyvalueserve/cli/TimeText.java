package io.keyvalueserve.cli;

import io.keyvalueserve.server.config.Durations;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Times as people write them: {@code 90s}, {@code 30m}, {@code 12h}, {@code 7d}, or a moment. */
final class TimeText {
  private TimeText() {}

  /**
   * Returns the moment so long from now, or the moment that the text names.
   *
   * @param option whose value it is, for the message
   * @throws ParameterException if it is neither
   */
  static Instant after(String text, String option, CommandLine command) {
    return Durations.parse(text)
        .map(duration -> Instant.now().plus(duration).truncatedTo(ChronoUnit.MILLIS))
        .orElseGet(() -> moment(text, option, command));
  }

  /** Returns the moment so long ago, or the moment that the text names; see {@link #after}. */
  static Instant ago(String text, String option, CommandLine command) {
    return Durations.parse(text)
        .map(duration -> Instant.now().minus(duration).truncatedTo(ChronoUnit.MILLIS))
        .orElseGet(() -> moment(text, option, command));
  }

  /** The moment as a parameter of a request, if it was given; see {@link #ago}. */
  static @Nullable String agoIfGiven(@Nullable String text, String option, CommandLine command) {
    return text == null ? null : ago(text, option, command).toString();
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
