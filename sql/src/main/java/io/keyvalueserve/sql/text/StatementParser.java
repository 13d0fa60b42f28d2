package io.keyvalueserve.sql.text;

import io.keyvalueserve.sql.SqlStatement.Kind;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the text of a statement as far as that needs no knowledge of tables. */
public final class StatementParser {
  private static final int MAX_CHAIN = 2000;

  private StatementParser() {}

  /**
   * Reads a statement.
   *
   * @param maxNesting how deep brackets may be nested
   * @throws SqlFailure if it is none, with the place of what is wrong
   */
  public static Command parse(String sql, int maxNesting) {
    int nul = sql.indexOf('\0');
    if (nul >= 0) {
      throw new SqlFailure(
          SqlState.SYNTAX, "a statement cannot have a character of code 0", nul + 1, "");
    }
    List<Token> tokens = withoutSemicolon(Tokenizer.tokens(sql));
    requireNesting(tokens, maxNesting);
    requireShortChains(tokens);
    return parse(new TokenReader(tokens), false);
  }

  private static List<Token> withoutSemicolon(List<Token> all) {
    List<Token> tokens = new ArrayList<>(all);
    while (tokens.size() > 1 && tokens.get(tokens.size() - 2).isSymbol(";")) {
      tokens.remove(tokens.size() - 2);
    }
    for (Token token : tokens) {
      if (token.isSymbol(";")) {
        throw new SqlFailure(
            SqlState.SYNTAX,
            "there is more than one statement",
            token.end() + 1,
            "send one statement at a time");
      }
    }
    return tokens;
  }

  private static void requireNesting(List<Token> tokens, int max) {
    int depth = 0;
    for (Token token : tokens) {
      if (token.isSymbol("(") || token.isSymbol("[") || token.is("CASE")) {
        depth++;
      } else if (token.isSymbol(")") || token.isSymbol("]") || token.is("END")) {
        depth--;
      }
      if (depth > max) {
        throw new SqlFailure(
            SqlState.TOO_COMPLEX,
            "a statement nests more than " + max + " levels deep",
            token.start() + 1,
            "write it with fewer brackets, or WITH for its parts");
      }
    }
  }

  /** Words that begin another expression. */
  private static final Set<String> BEGINNINGS =
      Set.of(
          "SELECT",
          "FROM",
          "WHERE",
          "ON",
          "GROUP",
          "HAVING",
          "ORDER",
          "WHEN",
          "THEN",
          "ELSE",
          "UNION",
          "EXCEPT",
          "INTERSECT",
          "VALUES",
          "SET",
          "JOIN");

  /** The parser's time grows with the square of the operators that follow each other. */
  private static void requireShortChains(List<Token> tokens) {
    Deque<Integer> outer = new ArrayDeque<>();
    int operators = 0;
    for (Token token : tokens) {
      if (token.isSymbol("(") || token.isSymbol("[")) {
        outer.push(operators);
        operators = 0;
      } else if (token.isSymbol(")") || token.isSymbol("]")) {
        operators = outer.isEmpty() ? 0 : outer.pop();
      } else if (token.isSymbol(",")
          || (token.kind() == Token.Kind.WORD && BEGINNINGS.contains(token.upper()))) {
        operators = 0;
      } else if (isOperator(token) && ++operators > MAX_CHAIN) {
        throw new SqlFailure(
            SqlState.TOO_COMPLEX,
            "more than " + MAX_CHAIN + " operators follow each other",
            token.start() + 1,
            "write a long chain of OR as IN, or put parts in brackets");
      }
    }
  }

  private static boolean isOperator(Token token) {
    return switch (token.kind()) {
      case SYMBOL -> !token.text().equals(".");
      case WORD -> token.is("AND") || token.is("OR") || token.is("NOT") || token.is("IS");
      default -> false;
    };
  }

  private static Command parse(TokenReader tokens, boolean isExplained) {
    Token first = tokens.peek();
    if (tokens.isEnd()) {
      if (isExplained) {
        throw tokens.expected("a statement");
      }
      return new Command.Accepted("");
    }
    if (first.isSymbol("(")) {
      return query("SELECT", Kind.SELECT, tokens);
    }
    return switch (first.kind() == Token.Kind.WORD ? first.upper() : "") {
      case "SELECT", "WITH", "VALUES", "TABLE" -> query("SELECT", Kind.SELECT, tokens);
      case "INSERT" -> query("INSERT", Kind.INSERT, tokens);
      case "SINK" -> {
        if (!tokens.peek(1).is("INTO")) {
          tokens.next();
          throw tokens.expected("\"INTO\"");
        }
        yield query("SINK", Kind.SINK, tokens);
      }
      case "UPDATE" -> query("UPDATE", Kind.UPDATE, tokens);
      case "DELETE" -> query("DELETE", Kind.DELETE, tokens);
      default -> {
        if (isExplained) {
          throw tokens.expected("SELECT, INSERT, SINK, UPDATE or DELETE");
        }
        yield other(tokens);
      }
    };
  }

  private static Command query(String words, Kind kind, TokenReader tokens) {
    return new Command.Query(words, kind, Rewriter.rewrite(tokens.rest()));
  }

  private static Command other(TokenReader tokens) {
    Token first = tokens.next();
    return switch (first.kind() == Token.Kind.WORD ? first.upper() : "") {
      case "EXPLAIN" -> explain(tokens);
      case "CREATE" -> DefinitionParser.create(tokens);
      case "DROP" -> DefinitionParser.drop(tokens);
      case "SHOW" -> show(tokens);
      case "SET", "RESET", "BEGIN", "COMMIT", "ROLLBACK", "DISCARD", "DEALLOCATE", "END", "ABORT" ->
          new Command.Accepted(first.upper());
      case "START" -> {
        tokens.require("TRANSACTION");
        yield new Command.Accepted("START TRANSACTION");
      }
      case "ALTER",
          "TRUNCATE",
          "MERGE",
          "COPY",
          "GRANT",
          "REVOKE",
          "ANALYZE",
          "VACUUM",
          "LISTEN",
          "NOTIFY",
          "LOCK",
          "DECLARE",
          "FETCH",
          "CALL",
          "DO",
          "PREPARE",
          "EXECUTE",
          "SAVEPOINT",
          "RELEASE",
          "COMMENT",
          "DESCRIBE",
          "USE" ->
          throw new SqlFailure(
              SqlState.UNSUPPORTED,
              first.upper() + " is not supported",
              first.start() + 1,
              hint(first.upper()));
      default ->
          throw new SqlFailure(
              SqlState.SYNTAX,
              "syntax error at " + first.shown() + ": no statement begins so",
              first.start() + 1,
              "");
    };
  }

  private static String hint(String word) {
    return switch (word) {
      case "TRUNCATE" -> "DELETE FROM removes all entries of a map";
      case "MERGE" -> "SINK INTO replaces entries that exist";
      case "GRANT", "REVOKE" -> "grants are given by the API of tenants";
      case "ALTER" ->
          "CREATE OR REPLACE MAPPING changes a mapping; jobs of Hazelcast Jet are not supported";
      case "DECLARE", "FETCH" -> "results stream by themselves: cursors are not needed";
      default -> "";
    };
  }

  private static Command explain(TokenReader tokens) {
    boolean analyzes = false;
    if (tokens.peek().isSymbol("(")
        && tokens.peek(1).kind() == Token.Kind.WORD
        && !tokens.peek(1).is("SELECT")
        && !tokens.peek(1).is("WITH")
        && !tokens.peek(1).is("VALUES")) {
      tokens.next();
      while (!tokens.takeSymbol(")")) {
        if (tokens.isEnd()) {
          throw tokens.expected("\")\"");
        }
        Token option = tokens.next();
        analyzes |= option.is("ANALYZE") && !tokens.peek().is("FALSE") && !tokens.peek().is("OFF");
      }
    } else {
      analyzes = tokens.take("ANALYZE");
      tokens.take("VERBOSE");
      tokens.take("PLAN", "FOR");
    }
    if (parse(tokens, true) instanceof Command.Query query) {
      return new Command.Explain(query, analyzes);
    }
    throw tokens.expected("SELECT, INSERT, SINK, UPDATE or DELETE");
  }

  private static Command show(TokenReader tokens) {
    Token first = tokens.peek();
    if (tokens.take("MAPPINGS") || tokens.take("TABLES") || tokens.take("EXTERNAL", "MAPPINGS")) {
      tokens.requireEnd();
      return new Command.ShowMappings();
    }
    if (tokens.take("INDEXES")) {
      tokens.requireEnd();
      return new Command.ShowIndexes();
    }
    if (first.is("JOBS") || first.is("RESOURCES") || first.is("TYPES") || first.is("DATA")) {
      throw new SqlFailure(
          SqlState.UNSUPPORTED,
          "SHOW " + first.upper() + " is not supported",
          first.start() + 1,
          "supported are SHOW MAPPINGS, SHOW INDEXES and SHOW of a setting");
    }
    if (tokens.take("TRANSACTION", "ISOLATION", "LEVEL")) {
      tokens.requireEnd();
      return new Command.ShowSetting("transaction_isolation");
    }
    if (tokens.take("TIME", "ZONE")) {
      tokens.requireEnd();
      return new Command.ShowSetting("timezone");
    }
    String name = String.join(".", tokens.names("the name of a setting"));
    tokens.requireEnd();
    return new Command.ShowSetting(name.toLowerCase(Locale.ROOT));
  }
}
