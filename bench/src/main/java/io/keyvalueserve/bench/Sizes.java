package io.keyvalueserve.bench;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** From one size to another, both included. */
record Sizes(int from, int to) {
  /** Reads them as 24-1000, or 100 for one size. */
  static final class Parser implements ITypeConverter<Sizes> {
    @Override
    public Sizes convert(String text) {
      try {
        String[] both = text.split("-", -1);
        int from = Integer.parseInt(both[0]);
        return new Sizes(from, both.length == 1 ? from : Integer.parseInt(both[1]));
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + text + "' is no range as 24-1000");
      }
    }
  }
}
