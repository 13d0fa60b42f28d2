package io.keyvalueserve.postgres.system;

import java.util.List;

/** The catalogues of databases, roles, settings and sessions. */
final class ServerTables {
  private ServerTables() {}

  static void addTo(List<SystemTable> all) {
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_database",
            """
            oid:oid datname:name datdba:oid encoding:int4 datlocprovider:char datistemplate:bool
            datallowconn:bool datconnlimit:int4 datfrozenxid:xid datminmxid:xid dattablespace:oid
            datcollate:text datctype:text daticulocale:text daticurules:text datcollversion:text
            datacl:_text
            """,
            "",
            (snapshot, _, rows) ->
                rows.add(
                    "oid",
                    Snapshot.DATABASE,
                    "datname",
                    snapshot.tenant(),
                    "datdba",
                    Snapshot.OWNER,
                    "encoding",
                    (long) Snapshot.UTF8,
                    "datlocprovider",
                    "c",
                    "datallowconn",
                    true,
                    "datconnlimit",
                    -1L,
                    "dattablespace",
                    1663L,
                    "datcollate",
                    "C",
                    "datctype",
                    "C")));
    for (String name : List.of("pg_roles", "pg_authid")) {
      all.add(
          new SystemTable(
              Snapshot.PG_CATALOG,
              name,
              """
              oid:oid rolname:name rolsuper:bool rolinherit:bool rolcreaterole:bool
              rolcreatedb:bool rolcanlogin:bool rolreplication:bool rolconnlimit:int4
              rolpassword:text rolvaliduntil:timestamptz rolbypassrls:bool rolconfig:_text
              """,
              "",
              (snapshot, _, rows) ->
                  rows.add(
                      "oid",
                      Snapshot.OWNER,
                      "rolname",
                      snapshot.tenant(),
                      "rolinherit",
                      true,
                      "rolcanlogin",
                      true,
                      "rolconnlimit",
                      -1L)));
    }
    for (String name : List.of("pg_user", "pg_shadow")) {
      all.add(
          new SystemTable(
              Snapshot.PG_CATALOG,
              name,
              """
              usename:name usesysid:oid usecreatedb:bool usesuper:bool userepl:bool
              usebypassrls:bool passwd:text valuntil:timestamptz useconfig:_text
              """,
              "",
              (snapshot, _, rows) ->
                  rows.add("usename", snapshot.tenant(), "usesysid", Snapshot.OWNER)));
    }
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_tablespace",
            "oid:oid spcname:name spcowner:oid spcacl:_text spcoptions:_text",
            "",
            (_, _, rows) ->
                rows.add("oid", 1663L, "spcname", "pg_default", "spcowner", Snapshot.OWNER)));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_language",
            """
            oid:oid lanname:name lanowner:oid lanispl:bool lanpltrusted:bool lanplcallfoid:oid
            laninline:oid lanvalidator:oid lanacl:_text
            """,
            "",
            (_, _, rows) -> rows.add("oid", 14L, "lanname", "sql", "lanowner", Snapshot.OWNER)));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_settings",
            """
            name:text setting:text unit:text category:text short_desc:text extra_desc:text
            context:text vartype:text source:text min_val:text max_val:text enumvals:_text
            boot_val:text reset_val:text sourcefile:text sourceline:int4 pending_restart:bool
            """,
            "",
            (snapshot, _, rows) ->
                snapshot
                    .settings()
                    .forEach(
                        (name, value) ->
                            rows.add(
                                "name", name,
                                "setting", value,
                                "context", "user",
                                "vartype", "string",
                                "source", "default",
                                "boot_val", value,
                                "reset_val", value))));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_stat_activity",
            """
            datid:oid datname:name pid:int4 leader_pid:int4 usesysid:oid usename:name
            application_name:text client_addr:text client_hostname:text client_port:int4
            backend_start:timestamptz xact_start:timestamptz query_start:timestamptz
            state_change:timestamptz wait_event_type:text wait_event:text state:text
            backend_xid:xid backend_xmin:xid query_id:int8 query:text backend_type:text
            """,
            "",
            (snapshot, _, rows) ->
                rows.add(
                    "datid",
                    Snapshot.DATABASE,
                    "datname",
                    snapshot.tenant(),
                    "pid",
                    snapshot.process(),
                    "usesysid",
                    Snapshot.OWNER,
                    "usename",
                    snapshot.tenant(),
                    "application_name",
                    snapshot.settings().get("application_name"),
                    "state",
                    "active",
                    "query",
                    "",
                    "backend_type",
                    "client backend")));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_timezone_names",
            "name:text abbrev:text utc_offset:text is_dst:bool",
            "",
            (_, _, rows) ->
                java.time.ZoneId.getAvailableZoneIds().stream()
                    .sorted()
                    .forEach(zone -> rows.add("name", zone, "abbrev", zone))));
  }
}
