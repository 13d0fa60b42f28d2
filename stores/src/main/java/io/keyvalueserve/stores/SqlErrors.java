package io.keyvalueserve.stores;

import io.keyvalueserve.stores.StoreException.Kind;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Makes of what drivers throw what a person and the caller need, without values of rows. */
final class SqlErrors {
  private static final int CLASS = 2;
  private static final String POOL_EXHAUSTED =
      "no connection came free within the timeout: try again, or make poolSize larger";

  private SqlErrors() {}

  /**
   * Translates an exception.
   *
   * @param subject what the message begins with, as in "table people"
   */
  static StoreException translate(String subject, StoreAddress address, SQLException error) {
    SQLException telling = telling(error);
    if (telling instanceof SQLTransientConnectionException && telling.getSQLState() == null) {
      return new StoreException(Kind.UNAVAILABLE, subject + ": " + POOL_EXHAUSTED, null);
    }
    String state = telling.getSQLState();
    Kind kind = kind(state);
    String text = address.withoutPassword(text(telling, state));
    String code = state == null ? "" : " (SQLSTATE " + state + ")";
    return new StoreException(kind, subject + ": " + text + code + remedy(state), state);
  }

  /** Finds the exception that says why: pools and batches wrap it. */
  private static SQLException telling(SQLException error) {
    SQLException telling = error;
    for (int depth = 0; depth < 5; depth++) {
      if (telling instanceof PSQLException postgres && postgres.getServerErrorMessage() != null) {
        return telling;
      }
      SQLException next = behind(telling);
      if (next == null) {
        return telling;
      }
      telling = next;
    }
    return telling;
  }

  private static @Nullable SQLException behind(SQLException error) {
    if (error.getNextException() != null) {
      return error.getNextException();
    }
    return error.getCause() instanceof SQLException cause ? cause : null;
  }

  static Kind kind(@Nullable String state) {
    if (state == null || state.length() < CLASS) {
      return Kind.UNAVAILABLE;
    }
    return switch (state) {
      case "57P04", "55000", "90149", "90096", "90013" -> Kind.MISCONFIGURED;
      case "22P01", "HYT00" -> Kind.UNAVAILABLE;
      default -> kindOfClass(state.substring(0, CLASS));
    };
  }

  private static Kind kindOfClass(String start) {
    return switch (start) {
      case "21", "22", "23", "44", "54", "P0" -> Kind.REFUSED;
      case "0A", "28", "3D", "3F", "42" -> Kind.MISCONFIGURED;
      default -> Kind.UNAVAILABLE;
    };
  }

  private static String text(SQLException error, @Nullable String state) {
    if (error instanceof PSQLException postgres && postgres.getServerErrorMessage() != null) {
      return PostgresErrors.text(postgres.getServerErrorMessage());
    }
    if (kind(state) == Kind.REFUSED) {
      return data(state);
    }
    String message = error.getMessage() == null ? "the database failed" : error.getMessage();
    return message.lines().findFirst().orElse("").replaceFirst("; SQL statement:.*", "");
  }

  /** Returns a message without data: drivers put values into their own words. */
  private static String data(@Nullable String state) {
    return switch (state) {
      case "22001" -> "a value is too long or too large for its column";
      case "22003" -> "a number is out of range for its column";
      case "22018", "22007", "22P02" -> "a value is not of its column's type";
      case "23502" -> "a column that must not be NULL has no value";
      case "23503", "23506" -> "a foreign key is violated";
      case "23505" -> "a unique index or primary key has the value already";
      case "23513", "23514" -> "a check constraint is violated";
      case null, default -> "the database refuses the data";
    };
  }

  private static String remedy(@Nullable String state) {
    return switch (state) {
      case "28P01", "28000" -> ": check user and password";
      case "42501" -> ": grant the user the right";
      case "55000" -> ": a unique constraint of the key must not be deferrable";
      case null, default -> "";
    };
  }

  /** Words of a PostgreSQL server. */
  private static final class PostgresErrors {
    /** The routine of the server that raises what functions in PL/pgSQL say. */
    private static final String RAISE = "exec_stmt_raise";

    static String text(ServerErrorMessage error) {
      String state = error.getSQLState();
      if (RAISE.equals(error.getRoutine()) || state == null || state.startsWith("P0")) {
        return named("a trigger or function of the database refuses it", error);
      }
      String message = error.getMessage();
      if (message == null) {
        return named("the database fails", error);
      }
      return named(state.startsWith("22") ? withoutValues(message) : message, error);
    }

    /** Takes out all that is in quotes or behind a colon: for wrong data these are values. */
    private static String withoutValues(String message) {
      return message.replaceFirst("(?s)\".*\"", "…").replaceFirst("(?s): .*", "");
    }

    private static String named(String text, ServerErrorMessage error) {
      String named = add(text, "constraint", error.getConstraint());
      return add(named, "column", error.getColumn());
    }

    private static String add(String text, String kind, @Nullable String name) {
      boolean said = name == null || text.contains('"' + name + '"');
      return said ? text : text + ", " + kind + " " + name;
    }
  }
}
