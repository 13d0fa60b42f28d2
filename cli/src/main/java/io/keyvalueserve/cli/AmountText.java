package io.keyvalueserve.cli;

import io.keyvalueserve.cli.QuotaCommand.Amount;
import io.keyvalueserve.server.config.Sizes;
import io.keyvalueserve.tenancy.Limit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Amounts as people write them: {@code 10000}, {@code 10k}, {@code 512m}, {@code 250ms}. */
final class AmountText {
  private static final String NONE = "none";
  private static final Pattern NUMBER = Pattern.compile("(\\d{1,15})([kmgt]?)");
  private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s)");

  private AmountText() {}

  /** A number, in which k, m and g stand for thousands, millions and milliards. */
  static @Nullable Amount count(@Nullable String text, String option, CommandSpec spec) {
    return amount(text, 1000, option, spec, "a number such as 10000 or 10k");
  }

  /** Bytes, in which k, m, g and t stand for KiB, MiB, GiB and TiB. */
  static @Nullable Amount size(@Nullable String text, String option, CommandSpec spec) {
    return amount(text, 1024, option, spec, "a size such as 65536, 64k or 2g");
  }

  /** Milliseconds. */
  static @Nullable Amount millis(@Nullable String text, String option, CommandSpec spec) {
    if (text == null || text.equals(NONE)) {
      return text == null ? null : new Amount(null);
    }
    Matcher time = TIME.matcher(text);
    if (!time.matches()) {
      throw wrong(text, option, spec, "a time such as 250ms or 2s");
    }
    long amount = Long.parseLong(time.group(1));
    return new Amount(time.group(2).equals("s") ? amount * 1000 : amount);
  }

  private static @Nullable Amount amount(
      @Nullable String text, long unit, String option, CommandSpec spec, String what) {
    if (text == null || text.equals(NONE)) {
      return text == null ? null : new Amount(null);
    }
    Matcher number = NUMBER.matcher(text.toLowerCase(Locale.ROOT));
    if (!number.matches()) {
      throw wrong(text, option, spec, what);
    }
    long amount = Long.parseLong(number.group(1));
    try {
      for (int i = "kmgt".indexOf(number.group(2)) + 1; i > 0 && !number.group(2).isEmpty(); i--) {
        amount = Math.multiplyExact(amount, unit);
      }
    } catch (ArithmeticException e) {
      throw wrong(text, option, spec, what);
    }
    return new Amount(amount);
  }

  private static ParameterException wrong(
      String text, String option, CommandSpec spec, String what) {
    return new ParameterException(
        spec.commandLine(), option + " '" + text + "': use " + what + ", or none");
  }

  /** An amount of what a limit is about. */
  static String show(Limit limit, long amount) {
    return switch (limit) {
      case BYTES_IN, BYTES_OUT, MEMORY, VALUE -> Sizes.text(amount);
      case BURST -> amount + " ms";
      case OPERATIONS, ENTRIES, CONNECTIONS, MAPS, LOCKS, WEIGHT -> String.valueOf(amount);
    };
  }
}
