package io.keyvalueserve.postgres.system;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.postgres.types.PgType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tables of {@code information_schema}, which standard SQL has. */
final class InformationSchema {
  private InformationSchema() {}

  static void addTo(List<SystemTable> all) {
    all.add(
        table(
            "schemata",
            """
            catalog_name:name schema_name:name schema_owner:name
            default_character_set_catalog:name default_character_set_schema:name
            default_character_set_name:name sql_path:text
            """,
            (snapshot, _, rows) -> {
              for (String name :
                  List.of(Snapshot.PG_CATALOG, Snapshot.PUBLIC, Snapshot.INFORMATION_SCHEMA)) {
                rows.add(
                    "catalog_name", snapshot.tenant(),
                    "schema_name", name,
                    "schema_owner", snapshot.tenant());
              }
            }));
    all.add(
        table(
            "tables",
            """
            table_catalog:name table_schema:name table_name:name table_type:text
            self_referencing_column_name:name reference_generation:text
            user_defined_type_catalog:name user_defined_type_schema:name
            user_defined_type_name:name is_insertable_into:text is_typed:text commit_action:text
            """,
            InformationSchema::tables));
    all.add(
        table(
            "columns",
            """
            table_catalog:name table_schema:name table_name:name column_name:name
            ordinal_position:int4 column_default:text is_nullable:text data_type:text
            character_maximum_length:int4 character_octet_length:int4 numeric_precision:int4
            numeric_precision_radix:int4 numeric_scale:int4 datetime_precision:int4
            interval_type:text interval_precision:int4 character_set_catalog:name
            character_set_schema:name character_set_name:name collation_catalog:name
            collation_schema:name collation_name:name domain_catalog:name domain_schema:name
            domain_name:name udt_catalog:name udt_schema:name udt_name:name scope_catalog:name
            scope_schema:name scope_name:name maximum_cardinality:int4 dtd_identifier:name
            is_self_referencing:text is_identity:text identity_generation:text identity_start:text
            identity_increment:text identity_maximum:text identity_minimum:text identity_cycle:text
            is_generated:text generation_expression:text is_updatable:text
            """,
            InformationSchema::columns));
    all.add(
        table(
            "table_constraints",
            """
            constraint_catalog:name constraint_schema:name constraint_name:name table_catalog:name
            table_schema:name table_name:name constraint_type:text is_deferrable:text
            initially_deferred:text enforced:text nulls_distinct:text
            """,
            InformationSchema::constraints));
    all.add(
        table(
            "key_column_usage",
            """
            constraint_catalog:name constraint_schema:name constraint_name:name table_catalog:name
            table_schema:name table_name:name column_name:name ordinal_position:int4
            position_in_unique_constraint:int4
            """,
            InformationSchema::keys));
    String[][] empty = {
      {"views", "table_catalog:name table_schema:name table_name:name view_definition:text"},
      {
        "referential_constraints",
        """
        constraint_catalog:name constraint_schema:name constraint_name:name
        unique_constraint_catalog:name unique_constraint_schema:name unique_constraint_name:name
        match_option:text update_rule:text delete_rule:text
        """
      },
      {
        "constraint_column_usage",
        """
        table_catalog:name table_schema:name table_name:name column_name:name
        constraint_catalog:name constraint_schema:name constraint_name:name
        """
      },
      {
        "routines",
        """
        specific_catalog:name specific_schema:name specific_name:name routine_catalog:name
        routine_schema:name routine_name:name routine_type:text data_type:text
        """
      },
      {"parameters", "specific_schema:name specific_name:name ordinal_position:int4"},
      {"sequences", "sequence_catalog:name sequence_schema:name sequence_name:name"},
      {
        "triggers",
        "trigger_catalog:name trigger_schema:name trigger_name:name event_object_table:name"
      },
      {
        "table_privileges",
        "grantor:name grantee:name table_schema:name table_name:name privilege_type:text"
      },
      {
        "column_privileges",
        """
        grantor:name grantee:name table_schema:name table_name:name column_name:name
        privilege_type:text
        """
      },
      {"domains", "domain_catalog:name domain_schema:name domain_name:name data_type:text"},
      {"element_types", "object_schema:name object_name:name data_type:text"},
    };
    for (String[] each : empty) {
      all.add(table(each[0], each[1], (snapshot, key, rows) -> {}));
    }
  }

  private static SystemTable table(String name, String columns, SystemTable.Maker maker) {
    return new SystemTable(Snapshot.INFORMATION_SCHEMA, name, columns, "", maker);
  }

  private static void tables(Snapshot snapshot, @Nullable Object key, SystemTable.Rows rows) {
    for (Snapshot.Table table : snapshot.tables()) {
      rows.add(
          "table_catalog",
          snapshot.tenant(),
          "table_schema",
          Snapshot.PUBLIC,
          "table_name",
          table.name(),
          "table_type",
          "BASE TABLE",
          "is_insertable_into",
          new Lazy(() -> table.isWritable() ? "YES" : "NO"),
          "is_typed",
          "NO");
    }
    for (SystemTable table : SystemTables.all()) {
      rows.add(
          "table_catalog",
          snapshot.tenant(),
          "table_schema",
          table.schema(),
          "table_name",
          table.name(),
          "table_type",
          "VIEW",
          "is_insertable_into",
          "NO",
          "is_typed",
          "NO");
    }
  }

  private static void columns(Snapshot snapshot, @Nullable Object key, SystemTable.Rows rows) {
    for (Snapshot.Table table : snapshot.tables()) {
      List<Column> columns = table.columns();
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        PgType type = PgType.of(column.type());
        boolean isKey = column.field().ofKey() && column.field().isWhole();
        rows.add(
            "table_catalog",
            snapshot.tenant(),
            "table_schema",
            Snapshot.PUBLIC,
            "table_name",
            table.name(),
            "column_name",
            column.name(),
            "ordinal_position",
            i + 1L,
            "is_nullable",
            isKey ? "NO" : "YES",
            "data_type",
            type.sqlName(),
            "character_maximum_length",
            null,
            "character_octet_length",
            null,
            "numeric_precision",
            precision(type),
            "numeric_precision_radix",
            precision(type) == null ? null : 2L,
            "numeric_scale",
            type.isWhole() ? (Object) 0L : null,
            "datetime_precision",
            type.category() == 'D' ? (Object) 6L : null,
            "interval_precision",
            null,
            "udt_catalog",
            snapshot.tenant(),
            "udt_schema",
            Snapshot.PG_CATALOG,
            "udt_name",
            type.typeName(),
            "maximum_cardinality",
            null,
            "dtd_identifier",
            Integer.toString(i + 1),
            "is_self_referencing",
            "NO",
            "is_identity",
            "NO",
            "is_generated",
            "NEVER",
            "is_updatable",
            table.isWritable() ? "YES" : "NO");
      }
    }
  }

  private static @Nullable Long precision(PgType type) {
    return switch (type) {
      case INT2 -> 16L;
      case INT4 -> 32L;
      case INT8 -> 64L;
      case FLOAT4 -> 24L;
      case FLOAT8 -> 53L;
      default -> null;
    };
  }

  private static void constraints(Snapshot snapshot, @Nullable Object key, SystemTable.Rows rows) {
    for (Snapshot.Table table : snapshot.tables()) {
      for (Snapshot.Index index : table.indexes()) {
        if (index.isKey()) {
          rows.add(
              "constraint_catalog",
              snapshot.tenant(),
              "constraint_schema",
              Snapshot.PUBLIC,
              "constraint_name",
              index.name(),
              "table_catalog",
              snapshot.tenant(),
              "table_schema",
              Snapshot.PUBLIC,
              "table_name",
              table.name(),
              "constraint_type",
              "PRIMARY KEY",
              "is_deferrable",
              "NO",
              "initially_deferred",
              "NO",
              "enforced",
              "YES");
        }
      }
    }
  }

  private static void keys(Snapshot snapshot, @Nullable Object key, SystemTable.Rows rows) {
    for (Snapshot.Table table : snapshot.tables()) {
      for (Snapshot.Index index : table.indexes()) {
        for (int i = 0; index.isKey() && i < index.places().size(); i++) {
          long place = index.places().get(i);
          rows.add(
              "constraint_catalog", snapshot.tenant(),
              "constraint_schema", Snapshot.PUBLIC,
              "constraint_name", index.name(),
              "table_catalog", snapshot.tenant(),
              "table_schema", Snapshot.PUBLIC,
              "table_name", table.name(),
              "column_name", table.columns().get((int) place - 1).name(),
              "ordinal_position", i + 1L,
              "position_in_unique_constraint", null);
        }
      }
    }
  }
}
