package io.keyvalueserve.grid.external;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The number by which people name a dead letter of a map, as {@code 57-112233445566778899}. Writes
 * are numbered in each partition by itself.
 *
 * @param partition the partition of its key
 * @param number tells the write from others of the partition
 */
public record LetterNumber(int partition, long number) {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})-([0-9]{1,18})");

  /** Reads the form that {@link #toString} returns; empty if it is none. */
  public static Optional<LetterNumber> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new LetterNumber(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2))))
        : Optional.empty();
  }

  /** Returns the partition and the number, joined by a dash. */
  @Override
  public String toString() {
    return partition + "-" + number;
  }
}
