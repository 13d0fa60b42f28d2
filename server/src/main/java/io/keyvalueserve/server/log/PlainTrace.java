package io.keyvalueserve.server.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import io.keyvalueserve.tenancy.PlainText;
import org.jspecify.annotations.Nullable;

/**
 * An event's stack trace, in lines of its own; the message of each exception stays in the one that
 * names it. Thread-safe.
 */
public final class PlainTrace extends ThrowableProxyConverter {
  @Override
  public String convert(ILoggingEvent event) {
    return BoundedLines.isBounded(event) ? "" : super.convert(event);
  }

  @Override
  protected String throwableProxyToString(IThrowableProxy thrown) {
    return super.throwableProxyToString(new Plain(thrown));
  }

  private record Plain(IThrowableProxy thrown) implements IThrowableProxy {
    @Override
    public @Nullable String getMessage() {
      String message = thrown.getMessage();
      return message == null ? null : PlainText.escaped(message);
    }

    @Override
    public String getClassName() {
      return thrown.getClassName();
    }

    @Override
    public StackTraceElementProxy[] getStackTraceElementProxyArray() {
      return thrown.getStackTraceElementProxyArray();
    }

    @Override
    public int getCommonFrames() {
      return thrown.getCommonFrames();
    }

    @Override
    public @Nullable IThrowableProxy getCause() {
      IThrowableProxy cause = thrown.getCause();
      return cause == null ? null : new Plain(cause);
    }

    @Override
    public IThrowableProxy @Nullable [] getSuppressed() {
      IThrowableProxy[] suppressed = thrown.getSuppressed();
      if (suppressed == null) {
        return null;
      }
      IThrowableProxy[] plain = new IThrowableProxy[suppressed.length];
      for (int i = 0; i < plain.length; i++) {
        plain[i] = new Plain(suppressed[i]);
      }
      return plain;
    }

    @Override
    public boolean isCyclic() {
      return thrown.isCyclic();
    }
  }
}
