package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.TestTables;
import io.keyvalueserve.postgres.plan.Execution;
import io.keyvalueserve.postgres.plan.Plan;
import io.keyvalueserve.postgres.syntax.Statement;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.types.TextValues;
import io.keyvalueserve.postgres.wire.PostgresException;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Carries out queries on the system catalogues without a connection. */
final class SystemQueries implements SystemSession {
  private final SystemCatalogs catalogs = new SystemCatalogs(TestTables::of);
  private final Map<String, String> settings =
      new TreeMap<>(Map.of("server_version", "16.0", "application_name", "test"));
  private final String tenant;

  SystemQueries(String tenant) {
    this.tenant = tenant;
  }

  /** Returns the rows of a query, their values separated by bars. */
  List<String> rows(String sql, @Nullable Object... parameters) {
    Plan plan = plan(sql);
    if (plan == null) {
      throw new AssertionError("this is no query on the catalogues: " + sql);
    }
    List<String> rows = new ArrayList<>();
    try (Execution execution = plan.start(java.util.Arrays.asList(parameters))) {
      while (execution.next()) {
        List<String> values = new ArrayList<>();
        for (Object value : execution.row()) {
          values.add(value == null ? "" : TextValues.of(value, ZoneOffset.UTC));
        }
        rows.add(String.join("|", values));
      }
    }
    return rows;
  }

  @Nullable Plan plan(String sql, PgType... types) {
    return catalogs.plan(Statement.split(sql).getFirst(), this, List.of(types));
  }

  @Override
  public Identity identity() {
    return new Identity(new TenantName(tenant), 1, "key");
  }

  @Override
  public int process() {
    return 7;
  }

  @Override
  public ZoneId zone() {
    return ZoneOffset.UTC;
  }

  @Override
  public void checkpoint() {}

  @Override
  public boolean hasSetting(String name) {
    return settings.containsKey(name);
  }

  @Override
  public String setting(String name) {
    String value = settings.get(name);
    if (value == null) {
      throw new PostgresException("42704", "unrecognized configuration parameter");
    }
    return value;
  }

  @Override
  public Map<String, String> settings() {
    return settings;
  }

  @Override
  public void set(String name, String value) {
    settings.put(name, value);
  }
}
