package io.keyvalueserve.server.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.keyvalueserve.tenancy.PlainText;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Bounds the warnings and errors of the HTTP library, which peers without a key can cause without
 * end: one line a minute for each of its loggers, without a stack trace. Thread-safe.
 */
public final class BoundedLines extends Filter<ILoggingEvent> {
  private static final String LIBRARY = "io.helidon.";
  private static final String LEFT_OUT = "leftOut";
  private static final int MOST_CHARACTERS = 500;
  private static final int MOST_CAUSES = 10;

  private final Map<String, LogLimit> limits = new ConcurrentHashMap<>();

  @Override
  public FilterReply decide(ILoggingEvent event) {
    if (!isBounded(event)) {
      return FilterReply.NEUTRAL;
    }
    long before = limits.computeIfAbsent(event.getLoggerName(), _ -> LogLimit.aMinute(1)).take();
    if (before < 0) {
      return FilterReply.DENY;
    }
    if (before > 0 && event instanceof LoggingEvent mutable) {
      mutable.addKeyValuePair(new KeyValuePair(LEFT_OUT, before));
    }
    return FilterReply.NEUTRAL;
  }

  /** Returns whether an event is one of those that are bounded. */
  static boolean isBounded(ILoggingEvent event) {
    return event.getLoggerName().startsWith(LIBRARY)
        && event.getLevel().isGreaterOrEqual(Level.WARN);
  }

  /** Returns the line of an event that is bounded: what stands for its stack trace is in it. */
  static String line(String message, ILoggingEvent event) {
    IThrowableProxy thrown = event.getThrowableProxy();
    String line = thrown == null ? message : message + " (" + text(thrown) + ")";
    if (line.length() > MOST_CHARACTERS) {
      line = line.substring(0, MOST_CHARACTERS) + "...";
    }
    Object before = leftOut(event.getKeyValuePairs());
    return before == null ? line : line + " (lines left out before: " + before + ")";
  }

  private static String text(IThrowableProxy thrown) {
    IThrowableProxy root = thrown;
    for (int depth = 0; depth < MOST_CAUSES && root.getCause() != null; depth++) {
      root = root.getCause();
    }
    String message = root.getMessage();
    return message == null
        ? root.getClassName()
        : root.getClassName() + ": " + PlainText.escaped(message);
  }

  private static @Nullable Object leftOut(@Nullable List<KeyValuePair> pairs) {
    if (pairs != null) {
      for (KeyValuePair pair : pairs) {
        if (pair.key.equals(LEFT_OUT)) {
          return pair.value;
        }
      }
    }
    return null;
  }
}
