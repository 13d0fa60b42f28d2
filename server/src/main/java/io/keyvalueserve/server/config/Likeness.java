package io.keyvalueserve.server.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;

/** Suggestions of known names for unknown ones that resemble them. */
public final class Likeness {
  /** The part of its letters by which a name may differ to be suggested: a third. */
  private static final int MOST = 3;

  private Likeness() {}

  /** Ends a sentence with the nearest known name, or with nothing if none is near. */
  public static String suggestion(String name, Collection<String> known) {
    return known.stream()
        .filter(candidate -> candidate.startsWith(name + "."))
        .findFirst()
        .or(
            () ->
                known.stream()
                    .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                    .filter(
                        nearest -> distance(name, nearest) <= Math.max(1, nearest.length() / MOST)))
        .map(meant -> "; did you mean " + meant + "?")
        .orElse("");
  }

  /** Returns the number of letters to change, put in or take out (Levenshtein). */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
