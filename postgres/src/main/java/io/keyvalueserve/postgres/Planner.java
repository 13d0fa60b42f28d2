package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.plan.Plan;
import io.keyvalueserve.postgres.syntax.Statement;
import io.keyvalueserve.postgres.system.SystemCatalogs;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out who carries a statement out: the door, the system catalogues, or the SQL service. */
final class Planner {
  private final Utilities utilities;
  private final SystemCatalogs catalogs;
  private final SystemAccess access;
  private final SqlSessions sessions;
  private final Transaction transaction;

  Planner(
      Utilities utilities,
      SystemCatalogs catalogs,
      SystemAccess access,
      SqlSessions sessions,
      Transaction transaction) {
    this.utilities = utilities;
    this.catalogs = catalogs;
    this.access = access;
    this.sessions = sessions;
    this.transaction = transaction;
  }

  /**
   * Plans a statement.
   *
   * @param declared the types of parameters that the client gave; null for those that it left open
   * @throws PostgresException if it is not valid
   */
  Plan plan(Statement statement, List<@Nullable PgType> declared) {
    Plan plan = utilities.plan(statement);
    if (plan == null) {
      plan = catalogs.plan(statement, access, declared);
    }
    if (plan != null) {
      return plan;
    }
    transaction.requireSound();
    return SqlPlan.prepare(sessions, transaction, statement.sql(), declared);
  }
}
