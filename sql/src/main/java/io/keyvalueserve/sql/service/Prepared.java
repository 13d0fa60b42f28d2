package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.SqlColumn;
import io.keyvalueserve.sql.SqlStatement;
import io.keyvalueserve.sql.plan.Plan;
import io.keyvalueserve.sql.text.Command;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement that was validated.
 *
 * @param parsed what its text says
 * @param plan null if it needs none
 */
record Prepared(
    String sql,
    Kind kind,
    String command,
    List<SqlColumn> columns,
    List<FieldType> parameters,
    Command parsed,
    @Nullable Plan plan)
    implements SqlStatement {
  Prepared {
    columns = List.copyOf(columns);
    parameters = List.copyOf(parameters);
  }

  private static SqlColumn text(String name) {
    return new SqlColumn(name, FieldType.VARCHAR, true);
  }

  static Prepared of(String sql, Command command, @Nullable Plan plan) {
    return switch (command) {
      case Command.Query query when plan != null ->
          new Prepared(
              sql, query.kind(), query.words(), plan.columns(), plan.parameters(), query, plan);
      case Command.Explain explain when plan != null ->
          new Prepared(
              sql,
              Kind.SELECT,
              "EXPLAIN",
              List.of(text("QUERY PLAN")),
              plan.parameters(),
              explain,
              plan);
      case Command.Query _, Command.Explain _ ->
          throw new IllegalArgumentException("a query has a plan");
      case Command.CreateMapping _ -> definition(sql, "CREATE MAPPING", command);
      case Command.DropMapping _ -> definition(sql, "DROP MAPPING", command);
      case Command.CreateIndex _ -> definition(sql, "CREATE INDEX", command);
      case Command.DropIndex _ -> definition(sql, "DROP INDEX", command);
      case Command.ShowMappings _ -> show(sql, List.of(text("name")), command);
      case Command.ShowIndexes _ ->
          show(
              sql, List.of(text("table"), text("name"), text("type"), text("attributes")), command);
      case Command.ShowSetting setting -> show(sql, List.of(text(setting.name())), command);
      case Command.Accepted accepted ->
          new Prepared(sql, Kind.OTHER, accepted.words(), List.of(), List.of(), command, null);
    };
  }

  private static Prepared definition(String sql, String words, Command command) {
    return new Prepared(sql, Kind.DEFINITION, words, List.of(), List.of(), command, null);
  }

  private static Prepared show(String sql, List<SqlColumn> columns, Command command) {
    return new Prepared(sql, Kind.SELECT, "SHOW", columns, List.of(), command, null);
  }
}
