package io.keyvalueserve.sql.service;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.engine.query.Decimals;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.gates.admission.NotAdmitted;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.sql.SqlCursor;
import io.keyvalueserve.sql.SqlException;
import io.keyvalueserve.sql.SqlOptions;
import io.keyvalueserve.sql.SqlSession;
import io.keyvalueserve.sql.SqlStatement;
import io.keyvalueserve.sql.expr.Env;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.sql.plan.Plan;
import io.keyvalueserve.sql.plan.TableNames;
import io.keyvalueserve.sql.run.Execution;
import io.keyvalueserve.sql.text.Command;
import io.keyvalueserve.sql.text.StatementParser;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements of one client. */
final class Session implements SqlSession {
  private final Parts parts;
  private final Visit visit;
  private final QueryCatalog catalog;
  private final TableNames names;
  private volatile SqlOptions options;
  private volatile @Nullable Run present;
  private @Nullable SqlCursor open;
  private boolean isClosed;

  Session(Parts parts, Visit visit, SqlOptions options) {
    this.parts = parts;
    this.visit = visit;
    this.options = options;
    this.catalog = parts.catalogs().apply(visit.identity());
    this.names = parts.planner().names(catalog, visit.identity());
  }

  private int tenant() {
    return visit.identity().number();
  }

  @Override
  public SqlStatement prepare(String sql) throws SqlException {
    try {
      return prepared(sql);
    } catch (RuntimeException | StackOverflowError e) {
      throw Faults.of(e, null);
    }
  }

  private Prepared prepared(String sql) {
    requireOpen();
    Prepared kept = parts.cache().find(tenant(), sql, options.zone());
    if (kept != null && kept.plan() != null && tables(kept.plan()) != null) {
      return kept;
    }
    requireLength(sql);
    try (PlanningTurn turn = new PlanningTurn(parts.turns(), tenant())) {
      Command command = StatementParser.parse(sql, parts.limits().nesting());
      Command.Query query =
          switch (command) {
            case Command.Query one -> one;
            case Command.Explain explain -> explain.query();
            default -> null;
          };
      Plan plan =
          query == null
              ? null
              : parts.planner().plan(query, turn.over(catalog), visit.identity(), options.zone());
      Prepared made = Prepared.of(sql, command, plan);
      parts.cache().add(tenant(), options.zone(), made);
      return made;
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new SqlFailure("08003", "the session is closed");
    }
  }

  private void requireLength(String sql) {
    int most = parts.limits().textBytes();
    if (sql.length() > most || bytes(sql) > most) {
      throw new SqlFailure(
          SqlState.TOO_LARGE,
          "a statement has more than " + most + " bytes",
          0,
          "give values as parameters, or send the statement in parts");
    }
  }

  /** Returns how many bytes text has in UTF-8, or a little more. */
  private static long bytes(String sql) {
    long bytes = sql.length();
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      bytes += c < 0x80 ? 0 : c < 0x800 ? 1 : 2;
    }
    return bytes;
  }

  /** Returns the tables of a plan as they are now; null if they are not what it was made for. */
  private @Nullable List<QueryTable> tables(Plan plan) {
    List<QueryTable> present = new ArrayList<>(plan.tables().size());
    for (List<String> name : plan.tableNames()) {
      Optional<QueryTable> table = names.find(name);
      if (table.isEmpty()) {
        return null;
      }
      present.add(table.get());
    }
    return plan.isValid(present) ? present : null;
  }

  @Override
  public SqlCursor execute(SqlStatement statement, List<@Nullable Object> parameters)
      throws SqlException {
    closeCursor();
    if (!(statement instanceof Prepared prepared)) {
      throw new IllegalArgumentException("a statement of another service");
    }
    try {
      requireOpen();
      requireBounded(parameters);
      admit(prepared.sql());
      return carryOut(prepared, parameters);
    } catch (RuntimeException | StackOverflowError e) {
      throw Faults.of(e, null);
    }
  }

  private static void requireBounded(List<@Nullable Object> parameters) {
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i) instanceof BigDecimal decimal && !Decimals.isBounded(decimal)) {
        throw new SqlFailure(
            SqlState.OUT_OF_RANGE,
            "parameter " + (i + 1) + " is out of the range of DECIMAL: " + decimal,
            0,
            "an exponent is from -" + Decimals.MOST_SCALE + " to " + Decimals.MOST_SCALE);
      }
    }
  }

  private void admit(String sql) {
    NotAdmitted why = visit.admit(Measure.QUERIES, 1, sql.length());
    if (why != null) {
      visit.turnedAway(visit.apart(), why);
      throw new SqlFailure(
          why.isRefused() ? SqlState.QUOTA : SqlState.THROTTLED,
          why.message(),
          0,
          why.isRefused() ? "" : "retry after " + why.retryAfterMillis() + " ms");
    }
    visit.operations(1);
    visit.served(visit.apart(), Measure.QUERIES, 1);
  }

  private SqlCursor carryOut(Prepared given, List<@Nullable Object> parameters)
      throws SqlException {
    Prepared prepared = given;
    Plan plan = prepared.plan();
    List<QueryTable> tables = List.of();
    if (plan != null) {
      List<QueryTable> present = tables(plan);
      if (present == null) {
        prepared = prepared(given.sql());
        plan = prepared.plan();
        present = plan == null ? null : plan.tables();
      }
      tables = present == null ? List.of() : present;
    }
    requireParameters(prepared, parameters);
    boolean measures = prepared.parsed() instanceof Command.Explain explain && explain.analyzes();
    Execution execution = execution(tables, parameters, measures);
    Run run = new Run(visit, options.client(), prepared.sql(), execution);
    parts.runs().add(run);
    present = run;
    Carrying carrying = new Carrying(parts, visit, prepared, run);
    boolean isOpen = false;
    try {
      SqlCursor cursor = new Performer(carrying, catalog, names).perform(prepared, options.zone());
      isOpen = cursor instanceof PagedCursor;
      open = cursor;
      return cursor;
    } finally {
      if (!isOpen) {
        carrying.end(null);
        present = null;
      }
    }
  }

  private static void requireParameters(Prepared prepared, List<@Nullable Object> parameters) {
    int needed = prepared.parameters().size();
    boolean isExplained =
        prepared.parsed() instanceof Command.Explain explain && !explain.analyzes();
    if (parameters.size() != needed && !(isExplained && parameters.isEmpty())) {
      throw new SqlFailure(
          "08P01",
          "the statement has " + needed + " parameters, and " + parameters.size() + " were given");
    }
  }

  private Execution execution(
      List<QueryTable> tables, List<@Nullable Object> parameters, boolean measures) {
    Env env =
        new Env(parameters.toArray(), options.zone(), Instant.now(), catalog, visit.identity());
    Duration most = parts.limits().timeout();
    Duration asked = options.timeout();
    Duration timeout = asked.isZero() || asked.compareTo(most) > 0 ? most : asked;
    return new Execution(
        env, tables, parts.turns(), parts.heap(), System.nanoTime() + timeout.toNanos(), measures);
  }

  @Override
  public void cancel() {
    Run run = present;
    if (run != null) {
      run.cancel("the statement was cancelled by its client");
    }
  }

  @Override
  public void set(SqlOptions changed) {
    this.options = changed;
  }

  @Override
  public SqlOptions options() {
    return options;
  }

  private void closeCursor() {
    SqlCursor cursor = open;
    if (cursor != null) {
      open = null;
      cursor.close();
      present = null;
    }
  }

  @Override
  public void close() {
    isClosed = true;
    closeCursor();
  }
}
