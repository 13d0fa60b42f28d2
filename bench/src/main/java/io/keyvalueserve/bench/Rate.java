package io.keyvalueserve.bench;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How many operations a second a load offers, whatever the server does. */
sealed interface Rate {
  /** As many as the server answers. */
  record Most() implements Rate {}

  /**
   * A number.
   *
   * @param perSecond operations
   */
  record Fixed(long perSecond) implements Rate {}

  /**
   * A part of what one server reaches under the same load when it is not held back.
   *
   * @param percent more than 0
   */
  record Share(int percent) implements Rate {
    /** The number, if that server reaches so many. */
    long of(double perSecond) {
      return Math.max(1, Math.round(perSecond * percent / 100));
    }
  }

  /** Reads {@code 50000} or {@code 50%}; 0 is as many as the server answers. */
  final class Parser implements ITypeConverter<Rate> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(%?)");

    @Override
    public Rate convert(String text) {
      Matcher form = FORM.matcher(text);
      if (!form.matches()) {
        throw new TypeConversionException(
            "'" + text + "' is no rate: operations in a second as 50000, or a share as 50%");
      }
      int number = Integer.parseInt(form.group(1));
      boolean share = !form.group(2).isEmpty();
      if (number == 0) {
        return new Most();
      }
      return share ? new Share(number) : new Fixed(number);
    }
  }

  /**
   * Tells it in the conditions of a report; empty if there is nothing to tell.
   *
   * @param reference the server that shares are of
   */
  default String describe(String reference) {
    return switch (this) {
      case Most _ -> "";
      case Fixed fixed ->
          String.format(Locale.ROOT, "; %,d ops/s offered to each", fixed.perSecond());
      case Share share ->
          "; offered to each: "
              + share.percent()
              + "% of what "
              + reference
              + " reached in a first round of each line";
    };
  }
}
