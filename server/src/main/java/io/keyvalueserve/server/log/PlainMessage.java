package io.keyvalueserve.server.log;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.keyvalueserve.tenancy.PlainText;

/** An event's message in one line, whatever texts of tenants it holds. Thread-safe. */
public final class PlainMessage extends MessageConverter {
  @Override
  public String convert(ILoggingEvent event) {
    String message = PlainText.escaped(super.convert(event));
    return BoundedLines.isBounded(event) ? BoundedLines.line(message, event) : message;
  }
}
