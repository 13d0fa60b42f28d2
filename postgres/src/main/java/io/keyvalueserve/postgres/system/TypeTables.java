package io.keyvalueserve.postgres.system;

import io.keyvalueserve.postgres.types.PgType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The catalogues of types, schemas, collations and access methods. */
final class TypeTables {
  static final long DEFAULT_COLLATION = 100;

  private static final long C_COLLATION = 950;

  private static final Map<String, RegName> FUNCTIONS = new ConcurrentHashMap<>();

  private TypeTables() {}

  static void addTo(List<SystemTable> all) {
    for (PgType type : PgType.values()) {
      String prefix = prefix(type);
      for (String suffix : List.of("in", "out", "recv", "send")) {
        var _ = function(named(prefix, suffix));
      }
    }
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_type",
            """
            oid:oid typname:name typnamespace:oid typowner:oid typlen:int2 typbyval:bool
            typtype:char typcategory:char typispreferred:bool typisdefined:bool typdelim:char
            typrelid:oid typsubscript:regproc typelem:oid typarray:oid typinput:regproc
            typoutput:regproc typreceive:regproc typsend:regproc typmodin:regproc typmodout:regproc
            typanalyze:regproc typalign:char typstorage:char typnotnull:bool typbasetype:oid
            typtypmod:int4 typndims:int4 typcollation:oid typdefaultbin:text typdefault:text
            typacl:_text
            """,
            "",
            (_, _, rows) -> types(rows)));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_namespace",
            "oid:oid nspname:name nspowner:oid nspacl:_text",
            "",
            (_, _, rows) -> {
              for (String name :
                  List.of(Snapshot.PG_CATALOG, Snapshot.PUBLIC, Snapshot.INFORMATION_SCHEMA)) {
                rows.add(
                    "oid", Snapshot.schemaOid(name), "nspname", name, "nspowner", Snapshot.OWNER);
              }
            }));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_collation",
            """
            oid:oid collname:name collnamespace:oid collowner:oid collprovider:char
            collisdeterministic:bool collencoding:int4 collcollate:text collctype:text
            colliculocale:text collicurules:text collversion:text
            """,
            "",
            (_, _, rows) -> {
              collation(rows, DEFAULT_COLLATION, "default", "d");
              collation(rows, C_COLLATION, "C", "c");
            }));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_am",
            "oid:oid amname:name amhandler:regproc amtype:char",
            "",
            (_, _, rows) -> {
              rows.add("oid", Snapshot.HEAP, "amname", "heap", "amtype", "t");
              rows.add("oid", Snapshot.BTREE, "amname", "btree", "amtype", "i");
              rows.add("oid", Snapshot.HASH, "amname", "hash", "amtype", "i");
            }));
  }

  private static void collation(SystemTable.Rows rows, long oid, String name, String provider) {
    rows.add(
        "oid",
        oid,
        "collname",
        name,
        "collnamespace",
        Snapshot.PG_CATALOG_OID,
        "collowner",
        Snapshot.OWNER,
        "collprovider",
        provider,
        "collisdeterministic",
        true,
        "collencoding",
        -1L);
  }

  private static void types(SystemTable.Rows rows) {
    for (PgType type : PgType.values()) {
      PgType element = type.element();
      String prefix = prefix(type);
      rows.add(
          "oid",
          (long) type.oid(),
          "typname",
          type.typeName(),
          "typnamespace",
          Snapshot.PG_CATALOG_OID,
          "typowner",
          Snapshot.OWNER,
          "typlen",
          (long) type.length(),
          "typbyval",
          type.length() > 0 && type.length() <= 8,
          "typtype",
          type.category() == 'P' ? "p" : "b",
          "typcategory",
          String.valueOf(type.category()),
          "typispreferred",
          type == PgType.TEXT || type == PgType.FLOAT8 || type == PgType.BOOL,
          "typisdefined",
          true,
          "typdelim",
          ",",
          "typelem",
          element == null ? 0L : (long) element.oid(),
          "typarray",
          (long) type.arrayOid(),
          "typinput",
          function(named(prefix, "in")),
          "typoutput",
          function(named(prefix, "out")),
          "typreceive",
          function(named(prefix, "recv")),
          "typsend",
          function(named(prefix, "send")),
          "typalign",
          "i",
          "typstorage",
          type.length() < 0 ? "x" : "p",
          "typtypmod",
          -1L,
          "typcollation",
          type.isText() ? DEFAULT_COLLATION : 0L);
    }
  }

  /** Returns the function of a name; null if no type has one of it. */
  static @Nullable RegName find(String function) {
    return FUNCTIONS.get(function);
  }

  private static RegName function(String name) {
    return FUNCTIONS.computeIfAbsent(
        name, _ -> new RegName(Snapshot.oidOf(name + "\0function"), name));
  }

  private static String prefix(PgType type) {
    boolean isVector = type == PgType.INT2VECTOR || type == PgType.OIDVECTOR;
    return type.element() == null || isVector ? type.typeName() : "array_";
  }

  private static String named(String prefix, String suffix) {
    boolean hasBar =
        prefix.endsWith("_")
            || prefix.startsWith("timestamp")
            || prefix.equals("date")
            || prefix.equals("time")
            || prefix.equals("numeric")
            || prefix.startsWith("json")
            || prefix.equals("interval")
            || prefix.equals("uuid");
    return prefix + (hasBar && !prefix.endsWith("_") ? "_" : "") + suffix;
  }
}
