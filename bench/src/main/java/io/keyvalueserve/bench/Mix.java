package io.keyvalueserve.bench;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * What the load does.
 *
 * @param name as it was asked for
 * @param readPercent how many of a hundred operations read
 * @param zipfian whether few keys are asked for often, or else all alike
 */
record Mix(String name, int readPercent, boolean zipfian) {
  private static final Pattern SHARES = Pattern.compile("(\\d{1,3})/(\\d{1,3})");

  /** Whether the next operation reads. */
  boolean reads(SplittableRandom random) {
    return readPercent == 100 || (readPercent > 0 && random.nextInt(100) < readPercent);
  }

  /**
   * Reads {@code get}, {@code set}, {@code 50/50} or any such shares, {@code a}, {@code b} or
   * {@code c} of YCSB.
   */
  static final class Parser implements ITypeConverter<Mix> {
    @Override
    public Mix convert(String text) {
      return of(text);
    }
  }

  /**
   * The mix of a name.
   *
   * @throws TypeConversionException if there is none
   */
  static Mix of(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "get" -> new Mix("get", 100, false);
      case "set" -> new Mix("set", 0, false);
      case "a" -> new Mix("A (50/50 zipfian)", 50, true);
      case "b" -> new Mix("B (95/5 zipfian)", 95, true);
      case "c" -> new Mix("C (get zipfian)", 100, true);
      default -> shares(name);
    };
  }

  private static Mix shares(String text) {
    Matcher shares = SHARES.matcher(text);
    if (shares.matches()) {
      int reads = Integer.parseInt(shares.group(1));
      if (reads + Integer.parseInt(shares.group(2)) == 100) {
        return new Mix(text, reads, false);
      }
    }
    throw new TypeConversionException(
        "'" + text + "' is no load: get, set, reads/writes as 50/50, or a, b, c of YCSB");
  }
}
