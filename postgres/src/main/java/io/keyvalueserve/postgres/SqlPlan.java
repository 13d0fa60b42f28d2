package io.keyvalueserve.postgres;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.postgres.plan.Execution;
import io.keyvalueserve.postgres.plan.Plan;
import io.keyvalueserve.postgres.plan.ResultColumn;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import io.keyvalueserve.sql.SqlCursor;
import io.keyvalueserve.sql.SqlException;
import io.keyvalueserve.sql.SqlSession;
import io.keyvalueserve.sql.SqlStatement;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement on the tenant's tables, which the SQL service carries out. */
final class SqlPlan implements Plan {
  private final SqlSessions sessions;
  private final Transaction transaction;
  private final SqlStatement statement;
  private final List<ResultColumn> columns;
  private final List<PgType> parameters;

  private SqlPlan(
      SqlSessions sessions,
      Transaction transaction,
      SqlStatement statement,
      List<@Nullable PgType> declared) {
    this.sessions = sessions;
    this.transaction = transaction;
    this.statement = statement;
    this.columns =
        statement.columns().stream()
            .map(column -> new ResultColumn(column.name(), PgType.of(column.type())))
            .toList();
    this.parameters = new ArrayList<>();
    for (int i = 0; i < statement.parameters().size(); i++) {
      PgType known = i < declared.size() ? declared.get(i) : null;
      parameters.add(known == null ? PgType.of(statement.parameters().get(i)) : known);
    }
  }

  /** Prepares a statement. */
  static SqlPlan prepare(
      SqlSessions sessions, Transaction transaction, String sql, List<@Nullable PgType> declared) {
    SqlSession session = sessions.take();
    sessions.works(session);
    try {
      return new SqlPlan(sessions, transaction, session.prepare(sql), declared);
    } catch (SqlException e) {
      throw told(e);
    } finally {
      sessions.works(null);
      sessions.giveBack(session);
    }
  }

  static PostgresException told(SqlException e) {
    return new PostgresException(e.state(), String.valueOf(e.getMessage()), e.position(), e.hint());
  }

  @Override
  public List<ResultColumn> columns() {
    return columns;
  }

  @Override
  public List<PgType> parameters() {
    return parameters;
  }

  @Override
  public boolean isOfDoor() {
    return false;
  }

  @Override
  public String command() {
    return statement.command();
  }

  @Override
  public Execution start(List<@Nullable Object> values) {
    SqlSession session = sessions.take();
    sessions.works(session);
    try {
      SqlCursor cursor = session.execute(statement, fitted(values));
      Run run = new Run(session, cursor);
      if (cursor.updated() >= 0) {
        transaction.written();
      }
      return run;
    } catch (SqlException e) {
      sessions.giveBack(session);
      throw told(e);
    } catch (RuntimeException e) {
      sessions.giveBack(session);
      throw e;
    } finally {
      sessions.works(null);
    }
  }

  /** A client may declare another type than the statement has: numbers become those that fit. */
  private List<@Nullable Object> fitted(List<@Nullable Object> values) {
    List<@Nullable Object> fitted = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      FieldType type = statement.parameters().get(i);
      boolean isOther = value != null && !type.javaClass().isInstance(value);
      fitted.add(isOther && value instanceof Number number ? fitted(number, type) : value);
    }
    return fitted;
  }

  private static Object fitted(Number number, FieldType type) {
    try {
      BigDecimal exact = new BigDecimal(number.toString());
      return switch (type) {
        case TINYINT -> exact.byteValueExact();
        case SMALLINT -> exact.shortValueExact();
        case INTEGER -> exact.intValueExact();
        case BIGINT -> exact.longValueExact();
        case DECIMAL -> exact;
        case REAL -> number.floatValue();
        case DOUBLE -> number.doubleValue();
        default -> number.toString();
      };
    } catch (ArithmeticException | NumberFormatException e) {
      return number; // the service says what is wrong with it
    }
  }

  private final class Run implements Execution {
    private final SqlSession session;
    private final SqlCursor cursor;
    private boolean closed;

    Run(SqlSession session, SqlCursor cursor) {
      this.session = session;
      this.cursor = cursor;
    }

    @Override
    public boolean next() {
      sessions.works(session);
      try {
        return !columns.isEmpty() && cursor.next();
      } catch (SqlException e) {
        throw told(e);
      } finally {
        sessions.works(null);
      }
    }

    @Override
    public @Nullable Object[] row() {
      return cursor.row();
    }

    @Override
    public String tag(long rows) {
      long written = Math.max(0, cursor.updated());
      return switch (statement.kind()) {
        case SELECT -> "SELECT " + rows;
        case INSERT, SINK -> "INSERT 0 " + written;
        case UPDATE -> "UPDATE " + written;
        case DELETE -> "DELETE " + written;
        case DEFINITION, OTHER -> statement.command();
      };
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        cursor.close();
        sessions.giveBack(session);
      }
    }
  }
}
