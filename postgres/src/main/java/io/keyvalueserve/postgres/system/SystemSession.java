package io.keyvalueserve.postgres.system;

import io.keyvalueserve.tenancy.Identity;
import java.time.ZoneId;
import java.util.Map;

/** The facts of a session that queries on the system catalogues may know. */
public interface SystemSession {
  /** Returns the tenant. */
  Identity identity();

  /** Returns the number by which requests to cancel name the session. */
  int process();

  /** Returns the session's time zone. */
  ZoneId zone();

  /**
   * Called between steps.
   *
   * @throws io.keyvalueserve.postgres.wire.PostgresException if the query is to end
   */
  void checkpoint();

  /** Returns whether there is a parameter of this name. */
  boolean hasSetting(String name);

  /** Returns a parameter's value. */
  String setting(String name);

  /** Returns all parameters. */
  Map<String, String> settings();

  /** Changes a parameter. */
  void set(String name, String value);
}
