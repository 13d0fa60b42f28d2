package io.keyvalueserve.tenancy.grant;

import io.keyvalueserve.tenancy.InvalidNameException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A set of rights.
 *
 * @param bits one for each {@link Right}, from 0 (none) to 63
 */
public record Rights(int bits) {
  public static final Rights NONE = new Rights(0);
  public static final Rights READ = of(Right.READ);
  public static final Rights WRITE = of(Right.WRITE);
  public static final Rights READ_WRITE = of(Right.READ, Right.WRITE);
  public static final Rights LOCK = of(Right.LOCK);
  public static final Rights ADMIN = of(Right.ADMIN);

  /** All rights on maps. */
  public static final Rights ALL = of(Right.READ, Right.WRITE, Right.LOCK, Right.ADMIN);

  public static final Rights SUBSCRIBE = of(Right.SUBSCRIBE);
  public static final Rights PUBLISH = of(Right.PUBLISH);

  /** All rights on channels. */
  public static final Rights OF_CHANNELS = of(Right.SUBSCRIBE, Right.PUBLISH);

  private static final String EVERYTHING = "all";

  /**
   * @throws IllegalArgumentException if there are bits of no right
   */
  public Rights {
    int all = 0;
    for (Right right : Right.values()) {
      all |= right.bit();
    }
    if ((bits & ~all) != 0) {
      throw new IllegalArgumentException("rights of bits " + bits + " are none that there are");
    }
  }

  /** These rights. */
  public static Rights of(Right... rights) {
    int bits = 0;
    for (Right right : rights) {
      bits |= right.bit();
    }
    return new Rights(bits);
  }

  /**
   * Reads the rights on a map that people write: {@code read,write}, or {@code all}; without regard
   * to case.
   *
   * @throws InvalidNameException if it holds anything else, or nothing
   */
  public static Rights parse(String text) {
    return parse(text, ALL);
  }

  /**
   * Reads the rights on channels that people write: {@code subscribe}, {@code publish}, both, or
   * {@code all}.
   *
   * @throws InvalidNameException if it holds anything else, or nothing
   */
  public static Rights parseOfChannels(String text) {
    return parse(text, OF_CHANNELS);
  }

  private static Rights parse(String text, Rights known) {
    int bits = 0;
    for (String word : text.toLowerCase(Locale.ROOT).split(",", -1)) {
      bits |=
          word.strip().equals(EVERYTHING) ? known.bits() : right(word.strip(), text, known).bit();
    }
    return new Rights(bits);
  }

  private static Right right(String word, String text, Rights known) {
    for (Right right : Right.values()) {
      if ((known.bits & right.bit()) != 0 && right.label().equals(word)) {
        return right;
      }
    }
    throw new InvalidNameException(
        "rights",
        text,
        "use one or more of " + known.text().replace(",", ", ") + ", joined by commas, or all");
  }

  /** Returns whether all of the other rights are among these. */
  public boolean cover(Rights needed) {
    return (bits & needed.bits) == needed.bits;
  }

  /** Returns the form that {@link #parse} reads, without {@code all}. */
  public String text() {
    return Arrays.stream(Right.values())
        .filter(right -> (bits & right.bit()) != 0)
        .map(Right::label)
        .collect(Collectors.joining(","));
  }

  @Override
  public String toString() {
    return text();
  }
}
