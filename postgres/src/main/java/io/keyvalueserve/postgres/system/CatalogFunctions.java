package io.keyvalueserve.postgres.system;

import static io.keyvalueserve.postgres.system.Functions.always;
import static io.keyvalueserve.postgres.system.Functions.lenient;
import static io.keyvalueserve.postgres.system.Functions.number;
import static io.keyvalueserve.postgres.system.Functions.strict;
import static io.keyvalueserve.postgres.system.Functions.text;

import io.keyvalueserve.postgres.types.PgType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Functions that tell about tables, columns, indexes and types. */
final class CatalogFunctions {
  private static final List<String> UNITS = List.of("bytes", "kB", "MB", "GB", "TB", "PB");
  private static final int NUMERIC_SCALE_BITS = 16;

  private CatalogFunctions() {}

  static void addTo(Map<String, Functions.Function> all) {
    for (String what :
        List.of(
            "type",
            "function",
            "operator",
            "opclass",
            "collation",
            "conversion",
            "ts_config",
            "ts_dict",
            "ts_parser",
            "ts_template",
            "statistics_obj",
            "opfamily")) {
      all.put("pg_" + what + "_is_visible", strict(1, PgType.BOOL, (_, _) -> true));
    }
    all.put(
        "pg_table_is_visible",
        strict(1, PgType.BOOL, (_, a) -> !SystemTables.isOfInformationSchema(number(a, 0))));
    all.put("pg_relation_is_publishable", strict(1, PgType.BOOL, (_, _) -> false));
    all.put("getdatabaseencoding", always(0, PgType.NAME, "UTF8"));
    all.put("pg_relation_is_updatable", strict(2, PgType.INT4, (_, _) -> 28L));
    all.put("pg_column_is_updatable", strict(3, PgType.BOOL, (_, _) -> true));
    all.put(
        "format_type",
        lenient(
            2,
            2,
            PgType.TEXT,
            (_, a) -> a.getFirst() == null ? null : typeName(number(a, 0), a.get(1))));
    all.put("pg_get_expr", lenient(2, 3, PgType.TEXT, (_, a) -> a.getFirst()));
    all.put("pg_get_indexdef", strict(1, 3, PgType.TEXT, CatalogFunctions::indexDefinition));
    all.put(
        "pg_get_constraintdef",
        strict(1, 2, PgType.TEXT, (run, a) -> run.snapshot().constraintDefinition(number(a, 0))));
    all.put("obj_description", strict(1, 2, PgType.TEXT, CatalogFunctions::description));
    for (String name :
        List.of(
            "pg_get_viewdef",
            "pg_get_triggerdef",
            "pg_get_ruledef",
            "pg_get_functiondef",
            "pg_get_partkeydef",
            "pg_get_function_arguments",
            "pg_get_function_result",
            "pg_get_function_identity_arguments",
            "pg_get_statisticsobjdef",
            "pg_get_statisticsobjdef_columns",
            "pg_get_serial_sequence",
            "col_description",
            "shobj_description",
            "pg_tablespace_location",
            "pg_get_partition_constraintdef",
            "pg_get_function_sqlbody",
            "pg_identify_object")) {
      all.put(name, always(4, PgType.TEXT, null));
    }
    all.put("pg_get_partition_ancestors", always(1, PgType.REGCLASS, null));
    all.put("pg_index_column_has_property", always(3, PgType.BOOL, null));
    all.put("pg_index_has_property", always(2, PgType.BOOL, null));
    all.put("pg_indexam_has_property", always(2, PgType.BOOL, null));
    all.put("to_regclass", strict(1, PgType.REGCLASS, CatalogFunctions::toRegClass));
    all.put("to_regtype", strict(1, PgType.REGTYPE, CatalogFunctions::toRegType));
    all.put(
        "to_regnamespace",
        strict(
            1,
            PgType.REGNAMESPACE,
            (_, a) -> {
              String name = Casts.lastName(text(a, 0));
              Long oid = Snapshot.schemaOid(name);
              return oid == null ? null : new RegName(oid, name);
            }));
    all.put("pg_size_pretty", strict(1, PgType.TEXT, (_, a) -> prettySize(number(a, 0))));
    for (String name :
        List.of(
            "pg_relation_size",
            "pg_total_relation_size",
            "pg_table_size",
            "pg_indexes_size",
            "pg_database_size",
            "pg_tablespace_size")) {
      all.put(name, strict(1, 2, PgType.INT8, (_, _) -> 0L));
    }
    all.put("pg_relation_filenode", strict(1, PgType.OID, (_, a) -> a.getFirst()));
    all.put("pg_stat_get_numscans", always(1, PgType.INT8, 0L));
    all.put("pg_typeof", lenient(1, 1, PgType.REGTYPE, (_, a) -> typeOf(a.getFirst())));
    all.put("_pg_char_max_length", lenient(2, 2, PgType.INT4, (_, _) -> null));
    all.put("_pg_numeric_precision", lenient(2, 2, PgType.INT4, (_, _) -> null));
    all.put("_pg_numeric_scale", lenient(2, 2, PgType.INT4, (_, _) -> null));
    all.put("_pg_datetime_precision", lenient(2, 2, PgType.INT4, (_, _) -> null));
    all.put("_pg_truetypid", lenient(2, 2, PgType.OID, (_, _) -> null));
    all.put("_pg_truetypmod", lenient(2, 2, PgType.INT4, (_, _) -> -1L));
  }

  private static String typeName(long oid, @Nullable Object modifier) {
    PgType type = PgType.ofOid((int) oid);
    if (type == null) {
      return oid == 0 ? "-" : "???";
    }
    long mod = modifier instanceof Number number ? number.longValue() : -1;
    if (mod < 4) {
      return type.sqlName();
    }
    return switch (type) {
      case VARCHAR, BPCHAR -> type.sqlName() + "(" + (mod - 4) + ")";
      case NUMERIC ->
          "numeric("
              + ((mod - 4) >> NUMERIC_SCALE_BITS)
              + ","
              + ((mod - 4) & ((1 << NUMERIC_SCALE_BITS) - 1))
              + ")";
      default -> type.sqlName();
    };
  }

  private static @Nullable Object indexDefinition(Run run, List<@Nullable Object> a) {
    int column = a.size() > 1 ? (int) number(a, 1) : 0;
    return run.snapshot().indexDefinition(number(a, 0), column);
  }

  private static @Nullable Object description(Run run, List<@Nullable Object> a) {
    boolean isOfTables = a.size() < 2 || text(a, 1).equals("pg_class");
    return isOfTables ? run.snapshot().description(number(a, 0)) : null;
  }

  private static @Nullable Object toRegClass(Run run, List<@Nullable Object> a) {
    Long oid = run.snapshot().relationOid(Casts.lastName(text(a, 0)));
    return oid == null ? null : new RegName(oid, run.snapshot().relationName(oid));
  }

  private static @Nullable Object toRegType(Run run, List<@Nullable Object> a) {
    PgType type = PgType.named(text(a, 0).replace("pg_catalog.", ""));
    run.step();
    return type == null ? null : new RegName(type.oid(), type.sqlName());
  }

  private static RegName typeOf(@Nullable Object value) {
    PgType type =
        switch (value) {
          case null -> PgType.UNKNOWN;
          case Boolean _ -> PgType.BOOL;
          case Long _ -> PgType.INT8;
          case RegName _ -> PgType.REGCLASS;
          case Number _ -> PgType.NUMERIC;
          case List<?> _ -> PgType.TEXT_ARRAY;
          default -> PgType.TEXT;
        };
    return new RegName(type.oid(), type.sqlName());
  }

  private static String prettySize(long bytes) {
    long size = bytes;
    int unit = 0;
    while (Math.abs(size) >= 10 * 1024 && unit + 1 < UNITS.size()) {
      size = Math.round(size / 1024.0);
      unit++;
    }
    return size + " " + UNITS.get(unit);
  }
}
