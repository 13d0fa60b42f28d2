package io.keyvalueserve.postgres.system;

import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.postgres.plan.Execution;
import io.keyvalueserve.postgres.plan.Plan;
import io.keyvalueserve.postgres.plan.ResultColumn;
import io.keyvalueserve.postgres.syntax.Statement;
import io.keyvalueserve.postgres.syntax.Token;
import io.keyvalueserve.postgres.syntax.Token.Kind;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import io.keyvalueserve.tenancy.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries on the system catalogues. A tenant's queries are answered one at a time at a
 * member, and those of all tenants by half of its processors at most. Thread-safe.
 */
public final class SystemCatalogs {
  private static final Set<String> NILADIC =
      Set.of("current_user", "session_user", "current_role", "current_catalog", "current_schema");
  private static final long LOOK_MILLIS = 100;

  private final Function<Identity, QueryCatalog> catalogs;
  private final Semaphore processors =
      new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  private final ConcurrentHashMap<Integer, Semaphore> turns = new ConcurrentHashMap<>();

  /**
   * @param catalogs the tables that a tenant can name; may block
   */
  public SystemCatalogs(Function<Identity, QueryCatalog> catalogs) {
    this.catalogs = catalogs;
  }

  /**
   * Returns the plan of a query on the catalogues or the session, or null if it is none.
   *
   * @param declared the types of parameters that the client gave; null for those that it left open
   * @throws PostgresException if it is one that is not valid
   */
  public @Nullable Plan plan(
      Statement statement, SystemSession session, List<@Nullable PgType> declared) {
    Token first = statement.token(0);
    boolean isQuery =
        first.is("select") || first.is("with") || first.is("values") || first.isSymbol("(");
    if (!isQuery || !mayBeSystem(statement)) {
      return null;
    }
    Ast.Query query;
    try {
      query = QueryParser.parse(statement.tokens());
    } catch (PostgresException e) {
      if (namesSchema(statement)) {
        throw e;
      }
      return null;
    }
    Sources sources = new Sources();
    sources.query(query);
    if (sources.hasOthers()) {
      if (sources.hasSystem() && namesSchema(statement)) {
        throw new PostgresException(
            "0A000", "system catalogues cannot be joined with tables of the tenant");
      }
      return null;
    }
    QueryBinder binder = new QueryBinder(declared);
    CompiledQuery compiled = binder.bind(query, null);
    List<ResultColumn> columns =
        compiled.columns().stream()
            .map(column -> new ResultColumn(column.name(), column.type()))
            .toList();
    return new SystemPlan(session, compiled, columns, binder.parameters());
  }

  /** Returns whether any word of the statement is one that only the catalogues know. */
  private static boolean mayBeSystem(Statement statement) {
    List<Token> tokens = statement.tokens();
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (!token.isName()) {
        continue;
      }
      String text = token.text();
      boolean isCall = statement.token(i + 1).isSymbol("(");
      if (text.startsWith("pg_")
          || text.equals(Snapshot.INFORMATION_SCHEMA)
          || (token.kind() == Kind.WORD && NILADIC.contains(text))
          || (isCall && Functions.isOfCatalogs(text))
          || (text.startsWith("reg") && PgType.named(text) != null)) {
        return true;
      }
    }
    return false;
  }

  private static boolean namesSchema(Statement statement) {
    return statement.tokens().stream()
        .anyMatch(
            token ->
                token.isName()
                    && (token.text().equals(Snapshot.PG_CATALOG)
                        || token.text().equals(Snapshot.INFORMATION_SCHEMA)));
  }

  private final class SystemPlan implements Plan {
    private final SystemSession session;
    private final CompiledQuery query;
    private final List<ResultColumn> columns;
    private final List<PgType> parameters;

    SystemPlan(
        SystemSession session,
        CompiledQuery query,
        List<ResultColumn> columns,
        List<PgType> parameters) {
      this.session = session;
      this.query = query;
      this.columns = columns;
      this.parameters = parameters;
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
    public String command() {
      return "SELECT";
    }

    @Override
    public Execution start(List<@Nullable Object> values) {
      List<@Nullable Object> normal = new ArrayList<>();
      values.forEach(value -> normal.add(Datum.normal(value)));
      Identity identity = session.identity();
      Semaphore turn = turns.computeIfAbsent(identity.number(), _ -> new Semaphore(1));
      acquire(turn);
      try {
        acquire(processors);
        try {
          Snapshot snapshot = new Snapshot(catalogs.apply(identity), session);
          Run run = new Run(session, snapshot, normal);
          return Execution.ofRows(query.rows(run, null), "SELECT", true);
        } finally {
          processors.release();
        }
      } finally {
        turn.release();
      }
    }

    private void acquire(Semaphore semaphore) {
      try {
        while (!semaphore.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          session.checkpoint();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new PostgresException("57014", "canceling statement due to user request");
      }
    }
  }
}
