package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.engine.query.QueryControl;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.sql.failure.SqlFailure;
import io.keyvalueserve.sql.failure.SqlState;
import io.keyvalueserve.sql.plan.TableNames;
import io.keyvalueserve.sql.text.Command;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries out definitions, and lists them. */
final class Definitions {
  private final QueryCatalog catalog;
  private final TableNames names;

  Definitions(QueryCatalog catalog, TableNames names) {
    this.catalog = catalog;
    this.names = names;
  }

  void create(Command.CreateMapping command) {
    if (!catalog.create(command.mapping(), command.replaces()) && !command.mayExist()) {
      throw new SqlFailure(
          SqlState.TABLE_EXISTS,
          "the mapping \"" + command.mapping().name() + "\" exists already",
          command.position(),
          "write CREATE OR REPLACE MAPPING, or CREATE MAPPING IF NOT EXISTS");
    }
  }

  void drop(Command.DropMapping command) {
    if (!catalog.drop(command.name()) && !command.mayLack()) {
      throw new SqlFailure(
          SqlState.NO_TABLE,
          "there is no mapping \"" + command.name() + "\"",
          command.position(),
          "SHOW MAPPINGS lists them");
    }
  }

  private QueryTable table(List<String> name, int position) {
    return names
        .find(name)
        .orElseThrow(
            () ->
                new SqlFailure(
                    SqlState.NO_TABLE,
                    "there is no table \"" + String.join(".", name) + "\"",
                    position,
                    "SHOW MAPPINGS lists the tables"));
  }

  void create(Command.CreateIndex command, QueryControl control) {
    QueryTable table = table(command.table(), command.tablePosition());
    List<String> attributes = new ArrayList<>();
    for (String name : command.index().attributes()) {
      attributes.add(attribute(table, name));
    }
    TableIndex index =
        new TableIndex(command.index().name(), command.index().isSorted(), attributes);
    if (!catalog.createIndex(table.mapping().name(), index, control) && !command.mayExist()) {
      throw new SqlFailure(
          SqlState.OBJECT_EXISTS,
          "the index \"" + index.name() + "\" exists already",
          command.position(),
          "write CREATE INDEX IF NOT EXISTS");
    }
  }

  /** Returns the field that a column is of; a name that is no column's is a field's. */
  private static String attribute(QueryTable table, String name) {
    Column similar = null;
    for (Column column : table.columns()) {
      if (column.name().equals(name)) {
        return column.field().toString();
      }
      if (column.name().equalsIgnoreCase(name)) {
        similar = column;
      }
    }
    return similar == null ? name : similar.field().toString();
  }

  void drop(Command.DropIndex command) {
    QueryTable table = table(command.table(), command.tablePosition());
    if (!catalog.dropIndex(table.mapping().name(), command.name()) && !command.mayLack()) {
      throw new SqlFailure(
          SqlState.NO_OBJECT,
          "there is no index \"" + command.name() + "\"",
          command.position(),
          "SHOW INDEXES lists them");
    }
  }

  List<@Nullable Object[]> mappings() {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Mapping mapping : catalog.mappings()) {
      rows.add(new @Nullable Object[] {mapping.name()});
    }
    return rows;
  }

  List<@Nullable Object[]> indexes() {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Mapping mapping : catalog.mappings()) {
      catalog
          .find(mapping.name())
          .ifPresent(
              table -> {
                for (TableIndex index : table.indexes()) {
                  rows.add(
                      new @Nullable Object[] {
                        mapping.name(),
                        index.name(),
                        index.isSorted() ? "SORTED" : "HASH",
                        String.join(", ", index.attributes())
                      });
                }
              });
    }
    return rows;
  }

  /** Returns what a setting of PostgreSQL is here. */
  static @Nullable Object[] setting(String name, ZoneId zone) {
    String value =
        switch (name) {
          case "server_version" -> "16.0";
          case "server_version_num" -> "160000";
          case "server_encoding", "client_encoding" -> "UTF8";
          case "datestyle" -> "ISO, MDY";
          case "intervalstyle" -> "postgres";
          case "timezone" -> zone.getId();
          case "transaction_isolation", "default_transaction_isolation" -> "read committed";
          case "transaction_read_only", "default_transaction_read_only" -> "off";
          case "standard_conforming_strings", "integer_datetimes" -> "on";
          case "search_path" -> "public";
          case "max_identifier_length" -> "512";
          case "extra_float_digits" -> "1";
          case "bytea_output" -> "hex";
          case "application_name" -> "";
          default ->
              throw new SqlFailure(
                  SqlState.NO_OBJECT,
                  "there is no setting \"" + name + "\"",
                  6,
                  "SHOW MAPPINGS and SHOW INDEXES list tables and indexes");
        };
    return new @Nullable Object[] {value};
  }
}
