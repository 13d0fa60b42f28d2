package io.keyvalueserve.postgres.system;

import static io.keyvalueserve.postgres.system.Functions.always;
import static io.keyvalueserve.postgres.system.Functions.lenient;
import static io.keyvalueserve.postgres.system.Functions.number;
import static io.keyvalueserve.postgres.system.Functions.strict;
import static io.keyvalueserve.postgres.system.Functions.text;

import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.wire.PostgresException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Functions about the session, the tenant and its rights. */
final class SessionFunctions {
  private static final int SCHEMA_ARGUMENTS = 1;

  private SessionFunctions() {}

  static void addTo(Map<String, Functions.Function> all) {
    for (String name :
        List.of("current_user", "session_user", "user", "current_role", "getpgusername")) {
      all.put(name, strict(0, PgType.NAME, (run, _) -> tenant(run)));
    }
    all.put("current_database", strict(0, PgType.NAME, (run, _) -> tenant(run)));
    all.put("current_catalog", strict(0, PgType.NAME, (run, _) -> tenant(run)));
    all.put("current_schema", always(0, PgType.NAME, Snapshot.PUBLIC));
    all.put(
        "current_schemas",
        strict(
            SCHEMA_ARGUMENTS,
            PgType.NAME_ARRAY,
            (_, arguments) ->
                Datum.isTrue(arguments.getFirst())
                    ? List.of(Snapshot.PG_CATALOG, Snapshot.PUBLIC)
                    : List.of(Snapshot.PUBLIC)));
    all.put(
        "version",
        strict(
            0, PgType.TEXT, (run, _) -> "PostgreSQL " + run.session().setting("server_version")));
    all.put("pg_backend_pid", strict(0, PgType.INT4, (run, _) -> (long) run.session().process()));
    all.put("now", strict(0, PgType.TIMESTAMPTZ, (run, _) -> now(run)));
    all.put("current_timestamp", strict(0, PgType.TIMESTAMPTZ, (run, _) -> now(run)));
    all.put("clock_timestamp", strict(0, PgType.TIMESTAMPTZ, (run, _) -> now(run)));
    all.put("localtimestamp", strict(0, PgType.TIMESTAMP, (run, _) -> now(run).toLocalDateTime()));
    all.put(
        "current_date", strict(0, PgType.DATE, (run, _) -> LocalDate.now(run.session().zone())));
    all.put("current_setting", lenient(1, 2, PgType.TEXT, SessionFunctions::setting));
    all.put("set_config", lenient(3, 3, PgType.TEXT, SessionFunctions::setConfig));
    all.put("pg_is_in_recovery", always(0, PgType.BOOL, false));
    all.put("pg_is_other_temp_schema", always(1, PgType.BOOL, false));
    all.put("pg_my_temp_schema", always(0, PgType.OID, 0L));
    all.put("inet_server_addr", always(0, PgType.TEXT, null));
    all.put("inet_server_port", always(0, PgType.INT4, null));
    all.put("inet_client_addr", always(0, PgType.TEXT, null));
    all.put("inet_client_port", always(0, PgType.INT4, null));
    all.put("txid_current", always(0, PgType.INT8, 1L));
    all.put("pg_current_xact_id_if_assigned", always(0, PgType.INT8, null));
    all.put("pg_advisory_unlock_all", always(0, PgType.VOID, ""));
    all.put("pg_postmaster_start_time", always(0, PgType.TIMESTAMPTZ, null));
    all.put("pg_conf_load_time", always(0, PgType.TIMESTAMPTZ, null));
    rights(all);
  }

  /** Says that everything visible is granted; so these are true for what is there. */
  private static void rights(Map<String, Functions.Function> all) {
    for (String what :
        List.of(
            "has_table_privilege",
            "has_any_column_privilege",
            "has_schema_privilege",
            "has_database_privilege",
            "has_function_privilege",
            "has_type_privilege",
            "has_language_privilege",
            "has_tablespace_privilege",
            "has_sequence_privilege")) {
      all.put(what, strict(2, 3, PgType.BOOL, (_, _) -> true));
    }
    all.put("has_column_privilege", strict(3, 4, PgType.BOOL, (_, _) -> true));
    all.put("pg_has_role", strict(2, 3, PgType.BOOL, (_, _) -> true));
    all.put("has_server_privilege", strict(2, 3, PgType.BOOL, (_, _) -> false));
    all.put("row_security_active", strict(1, PgType.BOOL, (_, _) -> false));
    all.put("pg_get_userbyid", strict(1, PgType.NAME, (run, _) -> tenant(run)));
    all.put(
        "pg_encoding_to_char",
        strict(
            1, PgType.NAME, (_, arguments) -> number(arguments, 0) == Snapshot.UTF8 ? "UTF8" : ""));
    all.put(
        "pg_char_to_encoding",
        strict(
            1,
            PgType.INT4,
            (_, arguments) ->
                text(arguments, 0).replace("-", "").equalsIgnoreCase("utf8")
                    ? (long) Snapshot.UTF8
                    : -1L));
    all.put("pg_client_encoding", always(0, PgType.NAME, "UTF8"));
  }

  private static String tenant(Run run) {
    return run.session().identity().tenant().value();
  }

  private static OffsetDateTime now(Run run) {
    return OffsetDateTime.now(run.session().zone());
  }

  private static @Nullable Object setting(Run run, List<@Nullable Object> arguments) {
    String name = text(arguments, 0);
    boolean isMissingOk = arguments.size() > 1 && Datum.isTrue(arguments.get(1));
    if (isMissingOk && !run.session().hasSetting(name)) {
      return null;
    }
    return run.session().setting(name);
  }

  private static Object setConfig(Run run, List<@Nullable Object> arguments) {
    if (arguments.getFirst() == null) {
      throw new PostgresException("22004", "the name of a parameter is null");
    }
    String value = text(arguments, 1);
    run.session().set(text(arguments, 0), value);
    return value;
  }
}
