package io.keyvalueserve.sql;

import io.keyvalueserve.gates.visit.Visit;
import java.util.List;

/** SQL of all tenants at one member. Thread-safe. */
public interface SqlService extends AutoCloseable {
  /**
   * Opens a session for a tenant that has authenticated. The session admits, charges and counts its
   * statements at the visit; the door counts the bytes of its requests and answers.
   */
  SqlSession open(Visit visit, SqlOptions options);

  /** Returns the statements that run at this member now: of all tenants. */
  List<RunningStatement> running();

  /**
   * Ends a statement that runs at this member.
   *
   * @param tenant only if it is this tenant's; 0 for any
   * @return whether there was one
   */
  boolean kill(String statement, int tenant);

  /** Ends all statements. Idempotent. */
  @Override
  void close();
}
