package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * A figure and what it should be.
 *
 * @param what the figure says
 * @param atMost whether the bound is the most it should be, or else the least
 */
record Goal(String what, double figure, boolean atMost, double bound) {
  boolean isMet() {
    return atMost ? figure <= bound : figure >= bound;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-6s %10.2f %s %8.2f  %s",
        isMet() ? "met" : "MISSED",
        figure,
        atMost ? "<=" : ">=",
        bound,
        what);
  }

  /** The figure and its bound, which is named for what it is. */
  ObjectNode json() {
    return Json.object()
        .put("what", what)
        .put("figure", figure)
        .put(atMost ? "atMost" : "atLeast", bound)
        .put("met", isMet());
  }
}
