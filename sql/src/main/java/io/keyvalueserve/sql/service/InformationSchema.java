package io.keyvalueserve.sql.service;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.engine.query.TableIndex;
import io.keyvalueserve.sql.SqlColumn;
import io.keyvalueserve.sql.VirtualSchema;
import io.keyvalueserve.sql.VirtualTable;
import io.keyvalueserve.tenancy.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code information_schema}: the tables that the tenant can name. */
final class InformationSchema implements VirtualSchema {
  private static final FieldType TEXT = FieldType.VARCHAR;

  private final List<VirtualTable> tables =
      List.of(
          new Listing(
              "tables",
              columns(
                  "table_catalog",
                  "table_schema",
                  "table_name",
                  "table_type",
                  "is_insertable_into"),
              InformationSchema::tables),
          new Listing(
              "columns",
              List.of(
                  column("table_catalog", TEXT),
                  column("table_schema", TEXT),
                  column("table_name", TEXT),
                  column("column_name", TEXT),
                  column("ordinal_position", FieldType.INTEGER),
                  column("is_nullable", TEXT),
                  column("data_type", TEXT),
                  column("is_hidden", TEXT),
                  column("column_external_name", TEXT)),
              InformationSchema::columns),
          new Listing(
              "mappings",
              columns(
                  "table_catalog",
                  "table_schema",
                  "table_name",
                  "mapping_external_name",
                  "mapping_type",
                  "mapping_options",
                  "is_inferred"),
              InformationSchema::mappings),
          new Listing(
              "indexes",
              columns(
                  "table_catalog",
                  "table_schema",
                  "table_name",
                  "index_name",
                  "index_type",
                  "attributes"),
              InformationSchema::indexes),
          new Listing(
              "schemata", columns("catalog_name", "schema_name"), InformationSchema::schemata));

  /** Adds the rows of a table. */
  private interface Maker {
    void make(QueryCatalog catalog, String tenant, List<@Nullable Object[]> rows);
  }

  /** A table whose rows are made at once. */
  private record Listing(String name, List<SqlColumn> columns, Maker maker)
      implements VirtualTable {
    @Override
    public Iterable<@Nullable Object[]> rows(QueryCatalog catalog, Identity caller) {
      List<@Nullable Object[]> rows = new ArrayList<>();
      maker.make(catalog, caller.tenant().value(), rows);
      return rows;
    }
  }

  @Override
  public String name() {
    return "information_schema";
  }

  @Override
  public List<VirtualTable> tables() {
    return tables;
  }

  private static SqlColumn column(String name, FieldType type) {
    return new SqlColumn(name, type, true);
  }

  private static List<SqlColumn> columns(String... names) {
    List<SqlColumn> columns = new ArrayList<>();
    for (String name : names) {
      columns.add(column(name, TEXT));
    }
    return columns;
  }

  /** Returns the schema of a table: its owner's name, if that is another tenant. */
  private static String schema(Mapping mapping) {
    int slash = mapping.name().indexOf('/');
    return slash < 0 ? "public" : mapping.name().substring(0, slash);
  }

  private static String table(Mapping mapping) {
    return mapping.name().substring(mapping.name().indexOf('/') + 1);
  }

  private static String yes(boolean flag) {
    return flag ? "YES" : "NO";
  }

  private static void add(List<@Nullable Object[]> rows, @Nullable Object... values) {
    rows.add(values);
  }

  private static void tables(QueryCatalog catalog, String tenant, List<@Nullable Object[]> rows) {
    for (Mapping mapping : catalog.mappings()) {
      catalog
          .find(mapping.name())
          .ifPresent(
              table ->
                  add(
                      rows,
                      tenant,
                      schema(mapping),
                      table(mapping),
                      "BASE TABLE",
                      yes(table.isWritable())));
    }
  }

  private static void columns(QueryCatalog catalog, String tenant, List<@Nullable Object[]> rows) {
    for (Mapping mapping : catalog.mappings()) {
      catalog
          .find(mapping.name())
          .ifPresent(
              table -> {
                int place = 0;
                for (Column column : table.columns()) {
                  add(
                      rows,
                      tenant,
                      schema(mapping),
                      table(mapping),
                      column.name(),
                      ++place,
                      "YES",
                      column.type().name().replace('_', ' ').toLowerCase(Locale.ROOT),
                      yes(column.isHidden()),
                      column.field().toString());
                }
              });
    }
  }

  private static void mappings(QueryCatalog catalog, String tenant, List<@Nullable Object[]> rows) {
    for (Mapping mapping : catalog.mappings()) {
      add(
          rows,
          tenant,
          schema(mapping),
          table(mapping),
          mapping.map(),
          "IMap",
          mapping.options().toString(),
          yes(mapping.isInferred()));
    }
  }

  private static void indexes(QueryCatalog catalog, String tenant, List<@Nullable Object[]> rows) {
    for (Mapping mapping : catalog.mappings()) {
      catalog
          .find(mapping.name())
          .ifPresent(
              table -> {
                for (TableIndex index : table.indexes()) {
                  add(
                      rows,
                      tenant,
                      schema(mapping),
                      table(mapping),
                      index.name(),
                      index.isSorted() ? "SORTED" : "HASH",
                      String.join(", ", index.attributes()));
                }
              });
    }
  }

  private static void schemata(QueryCatalog catalog, String tenant, List<@Nullable Object[]> rows) {
    catalog.mappings().stream()
        .map(InformationSchema::schema)
        .filter(schema -> !schema.equals("public"))
        .distinct()
        .forEach(schema -> add(rows, tenant, schema));
    add(rows, tenant, "public");
    add(rows, tenant, "information_schema");
  }
}
