package io.keyvalueserve.server.config;

import java.util.Locale;

/** Sizes as a person reads them. */
public final class Sizes {
  private static final int UNIT_BITS = 10;
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Sizes() {}

  /** A size in the largest unit that it has one of: {@code 512 MiB}, {@code 1.5 GiB}. */
  public static String text(long bytes) {
    int unit = 0;
    while (unit < UNITS.length - 1 && bytes >> (UNIT_BITS * (unit + 1)) > 0) {
      unit++;
    }
    long one = 1L << (UNIT_BITS * unit);
    return bytes % one == 0
        ? bytes / one + " " + UNITS[unit]
        : String.format(Locale.ROOT, "%.1f %s", (double) bytes / one, UNITS[unit]);
  }
}
