package io.keyvalueserve.postgres.system;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.postgres.types.PgType;
import io.keyvalueserve.postgres.types.PgVector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The catalogues of tables, columns, indexes and keys. */
final class RelationTables {
  private static final long NO_MODIFIER = -1;

  private RelationTables() {}

  static void addTo(List<SystemTable> all) {
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_class",
            """
            oid:oid relname:name relnamespace:oid reltype:oid reloftype:oid relowner:oid relam:oid
            relfilenode:oid reltablespace:oid relpages:int4 reltuples:float4 relallvisible:int4
            reltoastrelid:oid relhasindex:bool relisshared:bool relpersistence:char relkind:char
            relnatts:int2 relchecks:int2 relhasrules:bool relhastriggers:bool relhassubclass:bool
            relrowsecurity:bool relforcerowsecurity:bool relispopulated:bool relreplident:char
            relispartition:bool relrewrite:oid relfrozenxid:xid relminmxid:xid relacl:_text
            reloptions:_text relpartbound:text relhasoids:bool
            """,
            "",
            RelationTables::relations));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_attribute",
            """
            attrelid:oid attname:name atttypid:oid attlen:int2 attnum:int2 attcacheoff:int4
            atttypmod:int4 attndims:int2 attbyval:bool attalign:char attstorage:char
            attcompression:char attnotnull:bool atthasdef:bool atthasmissing:bool attidentity:char
            attgenerated:char attisdropped:bool attislocal:bool attinhcount:int2 attcollation:oid
            attstattarget:int2 attacl:_text attoptions:_text attfdwoptions:_text
            attmissingval:text
            """,
            "attrelid",
            RelationTables::attributes));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_index",
            """
            indexrelid:oid indrelid:oid indnatts:int2 indnkeyatts:int2 indisunique:bool
            indnullsnotdistinct:bool indisprimary:bool indisexclusion:bool indimmediate:bool
            indisclustered:bool indisvalid:bool indcheckxmin:bool indisready:bool indislive:bool
            indisreplident:bool indkey:int2vector indcollation:oidvector indclass:oidvector
            indoption:int2vector indexprs:text indpred:text
            """,
            "indrelid",
            RelationTables::indexes));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_constraint",
            """
            oid:oid conname:name connamespace:oid contype:char condeferrable:bool condeferred:bool
            convalidated:bool conrelid:oid contypid:oid conindid:oid conparentid:oid confrelid:oid
            confupdtype:char confdeltype:char confmatchtype:char conislocal:bool coninhcount:int2
            connoinherit:bool conkey:_int2 confkey:_int2 conpfeqop:_oid conppeqop:_oid
            conffeqop:_oid confdelsetcols:_int2 conexclop:_oid conbin:text
            """,
            "conrelid",
            RelationTables::constraints));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_description",
            "objoid:oid classoid:oid objsubid:int4 description:text",
            "objoid",
            (snapshot, key, rows) -> {
              for (Snapshot.Table table : snapshot.tables(key)) {
                rows.add(
                    "objoid", table.oid(),
                    "classoid", Snapshot.systemOid(SystemTables.indexOf("pg_class")),
                    "description", table.description());
              }
            }));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_tables",
            """
            schemaname:name tablename:name tableowner:name tablespace:name hasindexes:bool
            hasrules:bool hastriggers:bool rowsecurity:bool
            """,
            "",
            (snapshot, _, rows) ->
                snapshot
                    .tables()
                    .forEach(
                        table ->
                            rows.add(
                                "schemaname",
                                Snapshot.PUBLIC,
                                "tablename",
                                table.name(),
                                "tableowner",
                                "",
                                "hasindexes",
                                true))));
    all.add(
        new SystemTable(
            Snapshot.PG_CATALOG,
            "pg_indexes",
            "schemaname:name tablename:name indexname:name tablespace:name indexdef:text",
            "",
            (snapshot, _, rows) ->
                snapshot
                    .tables()
                    .forEach(
                        table ->
                            table
                                .indexes()
                                .forEach(
                                    index ->
                                        rows.add(
                                            "schemaname", Snapshot.PUBLIC,
                                            "tablename", table.name(),
                                            "indexname", index.name(),
                                            "indexdef",
                                                snapshot.indexDefinition(index.oid(), 0))))));
  }

  private static void relations(Snapshot snapshot, @Nullable Object key, SystemTable.Rows rows) {
    for (Snapshot.Table table : snapshot.tables()) {
      rows.add(
          "oid",
          table.oid(),
          "relname",
          table.name(),
          "relnamespace",
          Snapshot.PUBLIC_OID,
          "relowner",
          Snapshot.OWNER,
          "relam",
          Snapshot.HEAP,
          "relfilenode",
          table.oid(),
          "reltuples",
          new Lazy(() -> (double) table.estimatedRows()),
          "relhasindex",
          true,
          "relpersistence",
          "p",
          "relkind",
          "r",
          "relnatts",
          new Lazy(() -> (long) table.columns().size()),
          "relispopulated",
          true,
          "relreplident",
          "d");
    }
    for (Snapshot.Table table : snapshot.tables()) {
      for (Snapshot.Index index : table.indexes()) {
        rows.add(
            "oid",
            index.oid(),
            "relname",
            index.name(),
            "relnamespace",
            Snapshot.PUBLIC_OID,
            "relowner",
            Snapshot.OWNER,
            "relam",
            index.isHash() ? Snapshot.HASH : Snapshot.BTREE,
            "relfilenode",
            index.oid(),
            "relpersistence",
            "p",
            "relkind",
            "i",
            "relnatts",
            (long) index.places().size(),
            "relispopulated",
            true,
            "relreplident",
            "n");
      }
    }
    List<SystemTable> system = SystemTables.all();
    for (int i = 0; i < system.size(); i++) {
      Long schema = Snapshot.schemaOid(system.get(i).schema());
      boolean isCatalog = schema != null && schema == Snapshot.PG_CATALOG_OID;
      rows.add(
          "oid",
          Snapshot.systemOid(i),
          "relname",
          system.get(i).name(),
          "relnamespace",
          schema,
          "relowner",
          Snapshot.OWNER,
          "relam",
          isCatalog ? Snapshot.HEAP : 0L,
          "relpersistence",
          "p",
          "relkind",
          isCatalog ? "r" : "v",
          "relnatts",
          (long) system.get(i).columns().size(),
          "relispopulated",
          true,
          "relreplident",
          "n");
    }
  }

  private static void attributes(Snapshot snapshot, @Nullable Object key, SystemTable.Rows rows) {
    for (Snapshot.Table table : snapshot.tables(key)) {
      List<Column> columns = table.columns();
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        attribute(
            rows,
            table.oid(),
            column.name(),
            i + 1,
            PgType.of(column.type()),
            column.field().ofKey() && column.field().isWhole());
      }
    }
    List<SystemTable> system = SystemTables.all();
    for (int i = 0; i < system.size(); i++) {
      long oid = Snapshot.systemOid(i);
      if (key == null || key.equals(oid)) {
        int place = 0;
        for (Relation.Column column : system.get(i).columns()) {
          if (!column.isHidden()) {
            attribute(rows, oid, column.name(), ++place, column.type(), false);
          }
        }
      }
    }
  }

  private static void attribute(
      SystemTable.Rows rows, long table, String name, int place, PgType type, boolean isNotNull) {
    rows.add(
        "attrelid",
        table,
        "attname",
        name,
        "atttypid",
        (long) type.oid(),
        "attlen",
        (long) type.length(),
        "attnum",
        (long) place,
        "attcacheoff",
        -1L,
        "atttypmod",
        NO_MODIFIER,
        "attalign",
        "i",
        "attstorage",
        type.length() < 0 ? "x" : "p",
        "attcompression",
        "",
        "attnotnull",
        isNotNull,
        "attidentity",
        "",
        "attgenerated",
        "",
        "attislocal",
        true,
        "attcollation",
        type.isText() ? TypeTables.DEFAULT_COLLATION : 0L,
        "attstattarget",
        -1L);
  }

  private static void indexes(Snapshot snapshot, @Nullable Object key, SystemTable.Rows rows) {
    for (Snapshot.Table table : snapshot.tables(key)) {
      for (Snapshot.Index index : table.indexes()) {
        long columns = index.places().size();
        boolean hasExpressions = index.places().contains(0L);
        rows.add(
            "indexrelid",
            index.oid(),
            "indrelid",
            table.oid(),
            "indnatts",
            columns,
            "indnkeyatts",
            columns,
            "indisunique",
            index.isKey(),
            "indisprimary",
            index.isKey(),
            "indimmediate",
            true,
            "indisvalid",
            true,
            "indisready",
            true,
            "indislive",
            true,
            "indkey",
            new PgVector(index.places()),
            "indcollation",
            new PgVector(Collections.nCopies((int) columns, 0L)),
            "indclass",
            new PgVector(Collections.nCopies((int) columns, 0L)),
            "indoption",
            new PgVector(Collections.nCopies((int) columns, 0L)),
            "indexprs",
            hasExpressions ? index.parts() : null);
      }
    }
  }

  private static void constraints(Snapshot snapshot, @Nullable Object key, SystemTable.Rows rows) {
    for (Snapshot.Table table : snapshot.tables(key)) {
      for (Snapshot.Index index : table.indexes()) {
        if (index.isKey()) {
          rows.add(
              "oid",
              index.oid(),
              "conname",
              index.name(),
              "connamespace",
              Snapshot.PUBLIC_OID,
              "contype",
              "p",
              "convalidated",
              true,
              "conrelid",
              table.oid(),
              "conindid",
              index.oid(),
              "confupdtype",
              " ",
              "confdeltype",
              " ",
              "confmatchtype",
              " ",
              "conislocal",
              true,
              "connoinherit",
              true,
              "conkey",
              new ArrayList<Object>(index.places()));
        }
      }
    }
  }
}
