package io.keyvalueserve.bench;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how much data there is to be, as 256m or 4g. */
final class DataSize implements ITypeConverter<Long> {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,5})([mg])");

  @Override
  public Long convert(String text) {
    Matcher parts = TEXT.matcher(text.toLowerCase(Locale.ROOT));
    if (!parts.matches() || Long.parseLong(parts.group(1)) == 0) {
      throw new TypeConversionException("'" + text + "' is no size of data as 256m or 4g");
    }
    return Long.parseLong(parts.group(1)) << (parts.group(2).equals("m") ? 20 : 30);
  }
}
