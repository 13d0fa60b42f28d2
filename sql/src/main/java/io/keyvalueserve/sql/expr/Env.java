package io.keyvalueserve.sql.expr;

import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.tenancy.Identity;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values that expressions see beside their row. Used by the thread of a statement. */
public final class Env {
  private final @Nullable Object[] parameters;
  private final ZoneId zone;
  private final Instant began;
  private final QueryCatalog catalog;
  private final Identity caller;
  private final Map<Integer, @Nullable Object[]> outerRows = new HashMap<>();

  public Env(
      @Nullable Object[] parameters,
      ZoneId zone,
      Instant began,
      QueryCatalog catalog,
      Identity caller) {
    this.parameters = parameters.clone();
    this.zone = zone;
    this.began = began;
    this.catalog = catalog;
    this.caller = caller;
  }

  /** Returns a parameter, by its number from 0. */
  public @Nullable Object parameter(int number) {
    if (number >= parameters.length) {
      throw new SqlFailure(SqlState.PARAMETER, "the parameter $" + (number + 1) + " has no value");
    }
    return parameters[number];
  }

  /** Returns the session's time zone. */
  public ZoneId zone() {
    return zone;
  }

  /** Returns when the statement began: the time of {@code CURRENT_TIMESTAMP}. */
  public OffsetDateTime now() {
    return began.atZone(zone).toOffsetDateTime();
  }

  /** Returns when the statement began, in the session's zone. */
  public LocalDateTime localNow() {
    return LocalDateTime.ofInstant(began, zone);
  }

  /** Returns the tables that the tenant can name. */
  public QueryCatalog catalog() {
    return catalog;
  }

  /** Returns the tenant. */
  public Identity caller() {
    return caller;
  }

  /** Sets the row of an outer query, that an inner one refers to. */
  public void setOuterRow(int id, @Nullable Object[] row) {
    outerRows.put(id, row);
  }

  /** Returns a value of the row of an outer query. */
  public @Nullable Object outer(int id, int column) {
    @Nullable Object[] row = outerRows.get(id);
    if (row == null) {
      throw new IllegalStateException("there is no row of the outer query " + id);
    }
    return row[column];
  }
}
