package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.system.SystemSession;
import io.keyvalueserve.postgres.wire.PostgresException;
import io.keyvalueserve.tenancy.Identity;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.Consumer;

/** The facts of a session that statements on the system catalogues may know. */
final class SystemAccess implements SystemSession {
  private final PostgresConnection connection;
  private final Identity identity;
  private final Settings settings;
  private final Consumer<String> changed;
  private volatile boolean cancelled;
  private long deadlineNanos;
  private boolean hasDeadline;

  SystemAccess(
      PostgresConnection connection,
      Identity identity,
      Settings settings,
      Consumer<String> changed) {
    this.connection = connection;
    this.identity = identity;
    this.settings = settings;
    this.changed = changed;
  }

  /** A statement begins. */
  void begin() {
    cancelled = false;
    long nanos = settings.timeout().toNanos();
    hasDeadline = nanos > 0;
    deadlineNanos = System.nanoTime() + nanos;
  }

  /** Ends the statement. Any thread. */
  void cancel() {
    cancelled = true;
  }

  @Override
  public void checkpoint() {
    if (cancelled) {
      throw new PostgresException("57014", "canceling statement due to user request");
    }
    if (hasDeadline && System.nanoTime() - deadlineNanos > 0) {
      throw new PostgresException("57014", "canceling statement due to statement timeout");
    }
  }

  @Override
  public Identity identity() {
    return identity;
  }

  @Override
  public int process() {
    return connection.process();
  }

  @Override
  public ZoneId zone() {
    return settings.zone();
  }

  @Override
  public boolean hasSetting(String name) {
    return settings.has(name);
  }

  @Override
  public String setting(String name) {
    return settings.get(name);
  }

  @Override
  public Map<String, String> settings() {
    return settings.all();
  }

  @Override
  public void set(String name, String value) {
    settings.set(name, value);
    changed.accept(name);
  }
}
