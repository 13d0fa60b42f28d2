package io.keyvalueserve.grid.log;

import com.hazelcast.logging.AbstractLogger;
import com.hazelcast.logging.ILogger;
import com.hazelcast.logging.LogEvent;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * A logger of Hazelcast's with bounds:
 *
 * <ul>
 *   <li>a client's connection that closes, or that of a peer that has not said who it is: one line
 *       at debug, whatever the cause;
 *   <li>a member's connection that closes: one line without a stack trace;
 *   <li>a login, refused or not: a debug line, and for refused ones a warning once a minute;
 *   <li>a message of a client that has not authenticated, or whose connection is gone: one line a
 *       minute for all of these;
 *   <li>an operation on a tenant's object that fails: one line a minute for each tenant, without a
 *       stack trace, which is at debug;
 *   <li>a partition that cannot move yet, as a member that joined still starts: one line a minute
 *       for each logger; it moves later;
 *   <li>any other operation that fails: the same for each class;
 *   <li>all other warnings and errors: as they are, up to 60 lines a minute for each logger.
 * </ul>
 */
final class BoundedLogger extends AbstractLogger {
  private static final String CONNECTIONS = "com.hazelcast.internal.server.tcp.TcpServerConnection";
  private static final String CLIENTS_PORT = "type='CLIENT'";
  private static final String NOBODY = "endpoint=null";
  private static final String LOGINS = "io.keyvalueserve.hazelcast.";
  private static final String OPERATIONS = ".operation";
  private static final String UNAUTHENTICATED = "must authenticate before any operation";
  private static final String PARTITIONS = "com.hazelcast.internal.partition.";
  private static final String STARTS = "startup is";
  private static final String DID_NOT_MOVE = "MigrationInfo{";
  private static final int MOST_LINES = 60;
  private static final int MOST_CHARACTERS = 500;

  private final String name;
  private final ILogger log;
  private final TenantErrors errors;
  private final LogLimit unauthenticated;
  private final LogLimit once = LogLimit.aMinute(1);
  private final LogLimit most = LogLimit.aMinute(MOST_LINES);

  BoundedLogger(String name, ILogger log, TenantErrors errors, LogLimit unauthenticated) {
    this.name = name;
    this.log = log;
    this.errors = errors;
    this.unauthenticated = unauthenticated;
  }

  @Override
  public void log(Level level, @Nullable String message) {
    log(level, message, null);
  }

  @Override
  public void log(Level level, @Nullable String message, @Nullable Throwable thrown) {
    if (!log.isLoggable(level)) {
      return;
    }
    boolean isBad = level.intValue() >= Level.WARNING.intValue();
    String ofConnection = name.equals(CONNECTIONS) ? message : null;
    if (ofConnection != null
        && (ofConnection.contains(CLIENTS_PORT) || ofConnection.contains(NOBODY))) {
      debug(line(message, thrown));
    } else if (ofConnection != null && thrown != null) {
      log(level, line(message, thrown), null);
    } else if (name.startsWith(LOGINS)) {
      if (isBad) {
        logOnce(once.take(), level, message, thrown);
      } else {
        debug(line(message, thrown));
      }
    } else if (!isBad) {
      pass(level, message, thrown);
    } else if (message != null && message.contains(UNAUTHENTICATED)) {
      logOnce(unauthenticated.take(), level, message, thrown);
    } else {
      logBad(level, message, thrown);
    }
  }

  private boolean isOfMove(@Nullable String message) {
    return message != null
        && name.startsWith(PARTITIONS)
        && (message.contains(STARTS) || message.contains(DID_NOT_MOVE));
  }

  private void logBad(Level level, @Nullable String message, @Nullable Throwable thrown) {
    String tenant = errors.tenantHere();
    if (tenant != null) {
      logOnce(errors.take(tenant), level, "tenant '" + tenant + "': " + message, thrown);
    } else if ((thrown != null && name.contains(OPERATIONS)) || isOfMove(message)) {
      logOnce(once.take(), level, message, thrown);
    } else {
      long before = most.take();
      if (before >= 0) {
        pass(level, before == 0 ? message : leftOut(String.valueOf(message), before), thrown);
      }
    }
  }

  /**
   * Logs one line, if there is room for it.
   *
   * @param before what {@link LogLimit#take} returned
   */
  private void logOnce(
      long before, Level level, @Nullable String message, @Nullable Throwable thrown) {
    if (before >= 0) {
      String line = line(message, thrown);
      log.log(level, before == 0 ? line : leftOut(line, before));
    }
    if (thrown != null && log.isFineEnabled()) {
      log.log(Level.FINE, message, thrown);
    }
  }

  private void debug(String line) {
    if (log.isFineEnabled()) {
      log.log(Level.FINE, line);
    }
  }

  private void pass(Level level, @Nullable String message, @Nullable Throwable thrown) {
    if (thrown == null) {
      log.log(level, message);
    } else {
      log.log(level, message, thrown);
    }
  }

  private static String leftOut(String line, long before) {
    return line + " (lines left out before: " + before + ")";
  }

  private static String line(@Nullable String message, @Nullable Throwable thrown) {
    String line = thrown == null ? String.valueOf(message) : message + " (" + thrown + ")";
    return line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "...";
  }

  @Override
  @SuppressWarnings("removal") // Hazelcast's interface demands it
  public void log(LogEvent event) {
    log.log(event);
  }

  @Override
  public Level getLevel() {
    return log.getLevel();
  }

  @Override
  public boolean isLoggable(Level level) {
    return log.isLoggable(level);
  }
}
