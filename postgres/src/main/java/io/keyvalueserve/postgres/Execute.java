package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.plan.Execution;
import io.keyvalueserve.postgres.plan.Plan;
import io.keyvalueserve.postgres.plan.ResultColumn;
import io.keyvalueserve.postgres.syntax.Statement;
import io.keyvalueserve.postgres.syntax.Token;
import io.keyvalueserve.postgres.syntax.Token.Kind;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.types.TextReader;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code EXECUTE name (value, ...)}: a prepared statement, and values that are literals.
 *
 * @param name the statement's
 * @param literals their texts; null for {@code NULL}
 */
record Execute(String name, List<@Nullable String> literals) {
  /** Reads a statement, or returns null if it is another one. */
  static @Nullable Execute of(Statement statement) {
    if (!statement.token(0).is("execute") || !statement.token(1).isName()) {
      return null;
    }
    List<@Nullable String> literals = new ArrayList<>();
    int at = 2;
    if (statement.token(at).isSymbol("(")) {
      do {
        at++;
        at += literal(statement, at, literals);
      } while (statement.token(at).isSymbol(","));
      if (!statement.token(at++).isSymbol(")")) {
        throw unexpected(statement.token(at - 1));
      }
    }
    if (statement.token(at).kind() != Kind.END) {
      throw unexpected(statement.token(at));
    }
    return new Execute(statement.token(1).text(), literals);
  }

  /** Reads a literal, with a cast behind it that is left out; returns how many tokens it has. */
  private static int literal(Statement statement, int at, List<@Nullable String> literals) {
    Token token = statement.token(at);
    int length = 1;
    if (token.isSymbol("-") && statement.token(at + 1).kind() == Kind.NUMBER) {
      literals.add("-" + statement.token(at + 1).text());
      length = 2;
    } else if (token.is("null")) {
      literals.add(null);
    } else if (token.kind() == Kind.STRING
        || token.kind() == Kind.NUMBER
        || token.is("true")
        || token.is("false")) {
      literals.add(token.text());
    } else {
      throw unexpected(token);
    }
    if (statement.token(at + length).isSymbol("::")) {
      length += 2;
    }
    return length;
  }

  private static PostgresException unexpected(Token token) {
    return new PostgresException(
        "42601",
        "a value of EXECUTE must be a string, a number, TRUE, FALSE or NULL",
        token.start() + 1,
        "");
  }

  /** Returns the statement with its values. */
  Plan plan(Plan prepared, ZoneId zone) {
    List<@Nullable Object> values = values(prepared.parameters(), zone);
    return new Plan() {
      @Override
      public List<ResultColumn> columns() {
        return prepared.columns();
      }

      @Override
      public List<PgType> parameters() {
        return List.of();
      }

      @Override
      public boolean endsTransaction() {
        return prepared.endsTransaction();
      }

      @Override
      public boolean isOfDoor() {
        return prepared.isOfDoor();
      }

      @Override
      public String command() {
        return prepared.command();
      }

      @Override
      public Execution start(List<@Nullable Object> none) {
        return prepared.start(values);
      }
    };
  }

  /** Returns the values, of the types of the statement's parameters. */
  private List<@Nullable Object> values(List<PgType> types, ZoneId zone) {
    if (types.size() != literals.size()) {
      throw new PostgresException(
          "42601",
          "wrong number of parameters for prepared statement \""
              + name
              + "\": it has "
              + types.size());
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      String literal = literals.get(i);
      values.add(literal == null ? null : TextReader.read(types.get(i), literal, zone));
    }
    return values;
  }
}
