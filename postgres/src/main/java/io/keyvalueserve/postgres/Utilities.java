package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.plan.Execution;
import io.keyvalueserve.postgres.plan.Plan;
import io.keyvalueserve.postgres.plan.ResultColumn;
import io.keyvalueserve.postgres.syntax.Statement;
import io.keyvalueserve.postgres.syntax.Token;
import io.keyvalueserve.postgres.syntax.Token.Kind;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The statements about a session itself: transactions, parameters, prepared statements, and those
 * of PostgreSQL that are refused. Used by the thread that works for the connection.
 */
final class Utilities {
  private final Backend backend;
  private final Settings settings;
  private final Transaction transaction;

  Utilities(Backend backend, Settings settings, Transaction transaction) {
    this.backend = backend;
    this.settings = settings;
    this.transaction = transaction;
  }

  /** Returns the plan of a statement, or null if it is none about the session. */
  @Nullable Plan plan(Statement statement) {
    Token first = statement.token(0);
    if (first.kind() != Kind.WORD) {
      return null;
    }
    return switch (first.text()) {
      case "begin" -> Utility.of("BEGIN", this::begin);
      case "start" -> Utility.of("START TRANSACTION", this::begin);
      case "commit", "end" -> Utility.ending("COMMIT", this::commit);
      case "rollback", "abort" -> rollback(statement);
      case "savepoint" -> Utility.of("SAVEPOINT", () -> requireBegun("SAVEPOINT"));
      case "release" -> Utility.of("RELEASE", () -> requireBegun("RELEASE SAVEPOINT"));
      case "set" -> set(statement);
      case "reset" -> reset(statement);
      case "show" -> show(statement);
      case "discard" -> discard(statement);
      case "deallocate" -> deallocate(statement);
      case "prepare" -> prepare(statement);
      case "close" -> close(statement);
      case "unlisten" -> Utility.of("UNLISTEN", () -> {});
      case "copy" ->
          throw refused("COPY", "use INSERT with several rows, and SELECT with a row limit");
      case "listen", "notify" ->
          throw refused(first.text().toUpperCase(Locale.ROOT), "use channels at the Redis door");
      case "declare", "fetch", "move" ->
          throw refused("a cursor of SQL", "use the row limit of your driver (fetch size)");
      case "lock" -> throw refused("LOCK", "use locks at the Redis or Hazelcast door");
      case "vacuum", "analyze", "reindex", "cluster", "checkpoint" ->
          throw refused(first.text().toUpperCase(Locale.ROOT), "there is nothing to maintain");
      default -> null;
    };
  }

  private static PostgresException refused(String what, String hint) {
    return new PostgresException("0A000", what + " is not supported", 0, hint);
  }

  // ---- transactions

  private void begin() {
    if (transaction.isBegun()) {
      backend.warn("25001", "there is already a transaction in progress");
    }
    transaction.begin();
  }

  private String commit() {
    if (!transaction.isBegun()) {
      backend.warn("25P01", "there is no transaction in progress");
    }
    boolean failed = transaction.hasFailed();
    boolean written = transaction.end();
    settings.endTransaction();
    backend.optionsChanged();
    if (failed && written) {
      warnOfWrites();
    }
    return failed ? "ROLLBACK" : "COMMIT";
  }

  private Plan rollback(Statement statement) {
    boolean toSavepoint = statement.tokens().stream().anyMatch(token -> token.is("to"));
    return Utility.ending(
        "ROLLBACK",
        () -> {
          if (!transaction.isBegun()) {
            backend.warn("25P01", "there is no transaction in progress");
          }
          if (transaction.hasWritten()) {
            warnOfWrites();
          }
          if (toSavepoint) {
            transaction.recover();
          } else {
            boolean _ = transaction.end();
            settings.endTransaction();
            backend.optionsChanged();
          }
          return "ROLLBACK";
        });
  }

  private void warnOfWrites() {
    backend.warn(
        "01000",
        "the writes of this transaction are not undone: each statement takes effect by itself");
  }

  private void requireBegun(String what) {
    if (!transaction.isBegun()) {
      throw new PostgresException("25P01", what + " can only be used in transaction blocks");
    }
  }

  // ---- parameters

  private Plan set(Statement statement) {
    int at = 1;
    boolean isLocal = statement.token(at).is("local");
    if (isLocal || (statement.token(at).is("session") && !isSpecial(statement.token(at + 1)))) {
      at++;
    }
    if (statement.token(at).is("transaction") || statement.token(at).is("session")) {
      return Utility.of("SET", () -> {}); // of isolation there is one level
    }
    String name;
    if (statement.token(at).is("time") && statement.token(at + 1).is("zone")) {
      name = "TimeZone";
      at += 2;
    } else if (statement.token(at).is("names")) {
      name = "client_encoding";
      at++;
    } else {
      StringBuilder dotted = new StringBuilder(name(statement, at++));
      while (statement.token(at).isSymbol(".")) {
        dotted.append('.').append(name(statement, at + 1));
        at += 2;
      }
      name = dotted.toString();
      if (!statement.token(at).is("to") && !statement.token(at).isSymbol("=")) {
        throw syntax(statement.token(at));
      }
      at++;
    }
    String value = value(statement, at);
    return Utility.of(
        "SET",
        () -> {
          if (value == null) {
            settings.reset(name);
          } else if (isLocal) {
            settings.setLocal(name, value);
          } else {
            settings.set(name, value);
          }
          backend.changed(name);
        });
  }

  private static boolean isSpecial(Token token) {
    return token.is("characteristics") || token.is("authorization");
  }

  private static String name(Statement statement, int at) {
    Token token = statement.token(at);
    if (!token.isName()) {
      throw syntax(token);
    }
    return token.text();
  }

  private static PostgresException syntax(Token token) {
    return new PostgresException(
        "42601",
        token.kind() == Kind.END
            ? "syntax error at end of input"
            : "syntax error at or near \"" + token.text() + "\"",
        token.start() + 1,
        "");
  }

  /** The value behind {@code =}; null for the first one of the session. */
  private static @Nullable String value(Statement statement, int from) {
    StringBuilder text = new StringBuilder();
    for (int at = from; statement.token(at).kind() != Kind.END; at++) {
      Token token = statement.token(at);
      if (token.is("default") && text.isEmpty()) {
        return null;
      }
      if (token.isSymbol(",")) {
        text.append(", ");
      } else {
        text.append(
            token.kind() == Kind.WORD
                ? statement.sql().substring(token.start(), token.end())
                : token.text());
      }
    }
    if (text.isEmpty() && statement.token(from).kind() == Kind.END) {
      throw syntax(statement.token(from));
    }
    return text.toString();
  }

  private Plan reset(Statement statement) {
    if (statement.token(1).is("all")) {
      return Utility.of(
          "RESET",
          () -> {
            settings.resetAll();
            backend.allChanged();
          });
    }
    if (statement.token(1).is("session")) {
      return Utility.of("RESET", () -> {});
    }
    String name = dotted(statement, 1);
    return Utility.of(
        "RESET",
        () -> {
          settings.reset(name);
          backend.changed(name);
        });
  }

  private static String dotted(Statement statement, int from) {
    if (statement.token(from).is("time") && statement.token(from + 1).is("zone")) {
      return "TimeZone";
    }
    StringBuilder dotted = new StringBuilder(name(statement, from));
    for (int at = from + 1; statement.token(at).isSymbol("."); at += 2) {
      dotted.append('.').append(name(statement, at + 1));
    }
    return dotted.toString();
  }

  /** Parameters are shown here; what else can be shown, the SQL service knows. */
  private @Nullable Plan show(Statement statement) {
    if (statement.token(1).is("all")) {
      return rows(
          List.of("name", "setting", "description"),
          () ->
              settings.all().entrySet().stream()
                  .map(each -> new @Nullable Object[] {each.getKey(), each.getValue(), ""})
                  .toList());
    }
    if (!statement.token(1).isName()) {
      return null;
    }
    String name =
        statement.begins("show", "transaction", "isolation", "level")
            ? "transaction_isolation"
            : statement.begins("show", "session", "authorization")
                ? "session_authorization"
                : dotted(statement, 1);
    if (!settings.has(name)) {
      return null;
    }
    String told = Settings.reportedName(name);
    return rows(
        List.of(told == null ? name : told),
        () -> List.<@Nullable Object[]>of(new @Nullable Object[] {settings.get(name)}));
  }

  private static Plan rows(
      List<String> names, java.util.function.Supplier<List<@Nullable Object[]>> rows) {
    List<ResultColumn> columns =
        names.stream().map(name -> new ResultColumn(name, PgType.TEXT)).toList();
    return new Utility("SHOW", columns, () -> Execution.ofRows(rows.get(), "SHOW", false), false);
  }

  // ---- what the session keeps

  private Plan discard(Statement statement) {
    Token what = statement.token(1);
    if (what.is("all")) {
      return Utility.of(
          "DISCARD ALL",
          () -> {
            if (transaction.isBegun()) {
              throw new PostgresException(
                  "25001", "DISCARD ALL cannot run inside a transaction block");
            }
            backend.forgetAll();
            settings.resetAll();
            backend.allChanged();
          });
    }
    return Utility.of("DISCARD " + what.text().toUpperCase(Locale.ROOT), () -> {});
  }

  private Plan deallocate(Statement statement) {
    int at = statement.token(1).is("prepare") ? 2 : 1;
    if (statement.token(at).is("all")) {
      return Utility.of("DEALLOCATE ALL", backend::forgetStatements);
    }
    String name = name(statement, at);
    return Utility.of("DEALLOCATE", () -> backend.forgetStatement(name));
  }

  private Plan prepare(Statement statement) {
    if (statement.token(1).is("transaction")) {
      throw refused("PREPARE TRANSACTION", "each statement takes effect by itself");
    }
    String name = name(statement, 1);
    int at = 2;
    List<@Nullable PgType> types = new ArrayList<>();
    if (statement.token(at).isSymbol("(")) {
      StringBuilder type = new StringBuilder();
      do {
        at++;
        Token token = statement.token(at);
        if (token.kind() == Kind.END) {
          throw syntax(token);
        }
        if (token.isSymbol(",") || token.isSymbol(")")) {
          types.add(PgType.named(type.toString().strip()));
          type.setLength(0);
        } else {
          type.append(token.text()).append(' ');
        }
      } while (!statement.token(at).isSymbol(")"));
      at++;
    }
    if (!statement.token(at).is("as")) {
      throw syntax(statement.token(at));
    }
    String sql = statement.sql().substring(statement.token(at).end());
    return Utility.of("PREPARE", () -> backend.prepare(name, sql, types));
  }

  private Plan close(Statement statement) {
    if (statement.token(1).is("all")) {
      return Utility.of("CLOSE CURSOR ALL", () -> {});
    }
    throw new PostgresException(
        "34000", "cursor \"" + statement.token(1).text() + "\" does not exist");
  }
}
