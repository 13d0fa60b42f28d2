package io.keyvalueserve.grid.log;

import com.hazelcast.logging.ILogger;
import com.hazelcast.logging.LoggerFactory;
import com.hazelcast.logging.Slf4jFactory;
import io.keyvalueserve.tenancy.log.LogLimit;

/**
 * Hazelcast's loggers, bounded: what tenants or peers without a key can cause without end takes one
 * line a minute, without a stack trace. Hazelcast makes an instance by the class's name.
 */
public final class BoundedLoggers implements LoggerFactory {
  private static final String PROPERTY = "hazelcast.logging.class";

  private final LoggerFactory loggers = new Slf4jFactory();
  private final TenantErrors errors = new TenantErrors();
  private final LogLimit unauthenticated = LogLimit.aMinute(1);

  /** Has the members that start in this process use these loggers, unless it was told of others. */
  public static void install() {
    if (System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, BoundedLoggers.class.getName());
    }
  }

  @Override
  public ILogger getLogger(String name) {
    return new BoundedLogger(name, loggers.getLogger(name), errors, unauthenticated);
  }
}
