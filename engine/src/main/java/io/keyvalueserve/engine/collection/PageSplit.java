package io.keyvalueserve.engine.collection;

import java.util.Arrays;

/** Says where a page is to be split that has become too large. */
final class PageSplit {
  /** Measures pages with some of the entries. */
  @FunctionalInterface
  interface Measure {
    /** The bytes of a page with the entries of a range. */
    long size(int from, int to);
  }

  private PageSplit() {}

  /**
   * Splits entries so that each part fits into a page, unless it has as few entries as it may.
   *
   * @param entries how many there are: {@code fewest} at least
   * @param fewest entries of a page
   * @param growth at an end: all pages but the one at that end become full
   * @return the index behind the last entry of each part
   */
  static int[] split(int entries, Measure measure, int fewest, DraftPage.Growth growth) {
    return switch (growth) {
      case AT_END -> fill(entries, measure, fewest, TreePage.TARGET);
      case WITHIN -> {
        int[] full = fill(entries, measure, fewest, TreePage.TARGET);
        long sum = 0;
        for (int i = 0; i < full.length; i++) {
          sum += measure.size(i == 0 ? 0 : full[i - 1], full[i]);
        }
        yield fill(entries, measure, fewest, Math.ceilDiv(sum, full.length));
      }
      case AT_START -> {
        Measure fromBehind = (from, to) -> measure.size(entries - to, entries - from);
        int[] ends = fill(entries, fromBehind, fewest, TreePage.TARGET);
        int[] turned = new int[ends.length];
        for (int i = 0; i < ends.length; i++) {
          turned[i] = entries - (i == ends.length - 1 ? 0 : ends[ends.length - 2 - i]);
        }
        yield turned;
      }
    };
  }

  /** Fills pages from the first entry on, each up to a size or as near as can be. */
  private static int[] fill(int entries, Measure measure, int fewest, long aim) {
    int[] ends = new int[entries];
    int parts = 0;
    int start = 0;
    long size = 0;
    for (int i = 0; i < entries; i++) {
      long with = measure.size(start, i + 1);
      boolean full = with > TreePage.TARGET || with - aim > aim - size;
      if (full && i - start >= fewest) {
        ends[parts++] = i;
        start = i;
        with = measure.size(start, i + 1);
      }
      size = with;
    }
    if (entries - start < fewest && parts > 0) {
      // The last page has too few: it takes from the one before, or goes into it.
      int before = parts == 1 ? 0 : ends[parts - 2];
      if (entries - fewest - before >= fewest) {
        ends[parts - 1] = entries - fewest;
      } else {
        parts--;
      }
    }
    ends[parts++] = entries;
    return Arrays.copyOf(ends, parts);
  }
}
