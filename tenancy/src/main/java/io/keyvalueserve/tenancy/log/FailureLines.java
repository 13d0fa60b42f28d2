package io.keyvalueserve.tenancy.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the lines about failures that nobody expects: one a minute for each kind, and a stack
 * trace with the first. Failures are of one kind if they have one class and come from one method.
 * Thread-safe.
 */
public final class FailureLines {
  private static final int MOST_KINDS = 200;
  private static final int MOST_CHARACTERS = 500;

  private final Map<String, LogLimit> limits = new ConcurrentHashMap<>();

  /**
   * One line of the log.
   *
   * @param hasTrace whether it is the first of its kind
   * @param text what failed, and how many lines were left out before
   */
  public record Line(boolean hasTrace, String text) {}

  /** Asks for a line about a failure; null if it is to be left out. */
  public @Nullable Line take(Throwable thrown) {
    String kind = kindOf(thrown);
    LogLimit limit = limits.get(kind);
    boolean isFirst = false;
    if (limit == null) {
      if (limits.size() >= MOST_KINDS) {
        limits.clear(); // it costs some lines more than one a minute
      }
      LogLimit fresh = LogLimit.aMinute(1);
      LogLimit present = limits.putIfAbsent(kind, fresh);
      isFirst = present == null;
      limit = isFirst ? fresh : present;
    }
    long before = limit.take();
    if (before < 0) {
      return null;
    }
    return new Line(isFirst, textOf(thrown, before));
  }

  private static String kindOf(Throwable thrown) {
    StackTraceElement[] trace = thrown.getStackTrace();
    String from = trace.length == 0 ? "" : trace[0].getClassName() + "." + trace[0].getMethodName();
    return thrown.getClass().getName() + " " + from;
  }

  private static String textOf(Throwable thrown, long before) {
    String text = thrown.toString();
    if (text.length() > MOST_CHARACTERS) {
      text = text.substring(0, MOST_CHARACTERS) + "...";
    }
    return before == 0 ? text : text + " (lines left out before: " + before + ")";
  }
}
