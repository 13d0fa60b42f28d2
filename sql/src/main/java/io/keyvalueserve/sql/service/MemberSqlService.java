package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.sql.QueryHeap;
import io.keyvalueserve.sql.QueryTurns;
import io.keyvalueserve.sql.RunningStatement;
import io.keyvalueserve.sql.ScalarFunction;
import io.keyvalueserve.sql.SlowStatements;
import io.keyvalueserve.sql.SqlLimits;
import io.keyvalueserve.sql.SqlOptions;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.sql.SqlSession;
import io.keyvalueserve.sql.VirtualSchema;
import io.keyvalueserve.sql.plan.Planner;
import io.keyvalueserve.tenancy.Identity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** SQL over the tables of a member's engine. */
public final class MemberSqlService implements SqlService {
  private final Parts parts;

  private MemberSqlService(Builder builder) {
    List<VirtualSchema> schemas = new ArrayList<>();
    schemas.add(new InformationSchema());
    schemas.addAll(builder.schemas);
    this.parts =
        new Parts(
            builder.catalogs,
            new Planner(builder.functions, schemas, builder.limits),
            new PlanCache(builder.limits),
            new Runs(builder.limits.running()),
            builder.turns,
            builder.heap,
            builder.limits,
            builder.slowAfter.toNanos(),
            builder.slow);
  }

  /**
   * Begins to build a service.
   *
   * @param catalogs gives the tables that a tenant can name; called often
   */
  public static Builder builder(Function<Identity, QueryCatalog> catalogs) {
    return new Builder(catalogs);
  }

  /** Builds a service. Used by one thread. */
  public static final class Builder {
    private static final long USUAL_HEAP = 64L << 20;

    private final Function<Identity, QueryCatalog> catalogs;
    private final List<VirtualSchema> schemas = new ArrayList<>();
    private final List<ScalarFunction> functions = new ArrayList<>();
    private QueryTurns turns = QueryTurns.unlimited();
    private QueryHeap heap = QueryHeap.bounded(USUAL_HEAP);
    private SqlLimits limits = SqlLimits.USUAL;
    private Duration slowAfter = Duration.ofDays(1);
    private SlowStatements slow = (_, _, _) -> {};

    private Builder(Function<Identity, QueryCatalog> catalogs) {
      this.catalogs = catalogs;
    }

    /** Sets who shares the processors; else nobody waits. */
    public Builder turns(QueryTurns shared) {
      this.turns = shared;
      return this;
    }

    /** Sets who bounds the heap; else each tenant has 64 MiB. */
    public Builder heap(QueryHeap bound) {
      this.heap = bound;
      return this;
    }

    /** Sets the bounds of statements; else {@link SqlLimits#USUAL}. */
    public Builder limits(SqlLimits bounds) {
      this.limits = bounds;
      return this;
    }

    /** Sets who is told of statements that take as long as this, or longer. */
    public Builder slow(Duration after, SlowStatements sink) {
      this.slowAfter = after;
      this.slow = sink;
      return this;
    }

    /** Adds a schema. */
    public Builder schema(VirtualSchema schema) {
      schemas.add(schema);
      return this;
    }

    /** Adds a function; it replaces one of the same name. */
    public Builder function(ScalarFunction function) {
      functions.add(function);
      return this;
    }

    /** Returns the service. */
    public MemberSqlService build() {
      return new MemberSqlService(this);
    }
  }

  @Override
  public SqlSession open(Visit visit, SqlOptions options) {
    return new Session(parts, visit, options);
  }

  @Override
  public List<RunningStatement> running() {
    return parts.runs().running();
  }

  @Override
  public boolean kill(String statement, int tenant) {
    return parts.runs().kill(statement, tenant);
  }

  /** Returns how many plans of a tenant are kept. */
  int cachedPlans(int tenant) {
    return parts.cache().size(tenant);
  }

  @Override
  public void close() {
    parts.runs().close();
  }
}
