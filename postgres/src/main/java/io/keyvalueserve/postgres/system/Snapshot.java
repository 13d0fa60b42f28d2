package io.keyvalueserve.postgres.system;

import io.keyvalueserve.engine.query.Column;
import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.engine.query.TableIndex;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The tenant's tables as one query sees them. A table's columns are looked up when they are first
 * needed. The number of a table follows from its name, so it is the same on all members and after a
 * restart. Not thread-safe.
 */
final class Snapshot {
  static final String PG_CATALOG = "pg_catalog";
  static final String INFORMATION_SCHEMA = "information_schema";
  static final String PUBLIC = "public";
  static final long PG_CATALOG_OID = 11;
  static final long PUBLIC_OID = 2200;
  static final long INFORMATION_SCHEMA_OID = 13_000;
  static final long OWNER = 10;
  static final long DATABASE = 5;
  static final int UTF8 = 6;
  static final long HEAP = 2;
  static final long BTREE = 403;
  static final long HASH = 405;

  private static final long FIRST_OID = 16_384;
  private static final long SYSTEM_FIRST_OID = 9_000;
  private static final long MOST_OID = Integer.MAX_VALUE;

  private final QueryCatalog catalog;
  private final SystemSession session;
  private final Map<String, Table> tables = new HashMap<>();
  private final Map<Long, Object> byOid = new HashMap<>();
  private boolean isLoaded;
  private boolean hasIndexes;

  Snapshot(QueryCatalog catalog, SystemSession session) {
    this.catalog = catalog;
    this.session = session;
  }

  String tenant() {
    return session.identity().tenant().value();
  }

  Map<String, String> settings() {
    return session.settings();
  }

  long process() {
    return session.process();
  }

  /** A table of the tenant. */
  final class Table {
    private final long oid;
    private final Mapping mapping;
    private @Nullable QueryTable found;
    private boolean isLookedUp;
    private @Nullable List<Column> columns;
    private @Nullable List<Index> indexes;

    private Table(long oid, Mapping mapping) {
      this.oid = oid;
      this.mapping = mapping;
    }

    long oid() {
      return oid;
    }

    String name() {
      return mapping.name();
    }

    Mapping mapping() {
      return mapping;
    }

    private @Nullable QueryTable found() {
      if (!isLookedUp) {
        isLookedUp = true;
        session.checkpoint();
        try {
          found = catalog.find(mapping.name()).orElse(null);
        } catch (QueryException e) {
          if (e.kind() == QueryException.Kind.CANCELLED) {
            throw e;
          }
          found = null; // its columns are not known; others' are
        }
      }
      return found;
    }

    /** Returns the columns that {@code SELECT *} has. */
    List<Column> columns() {
      List<Column> known = columns;
      if (known == null) {
        QueryTable table = found();
        known =
            table == null
                ? List.of()
                : table.columns().stream().filter(column -> !column.isHidden()).toList();
        columns = known;
      }
      return known;
    }

    /** Returns the indexes: first that of the key, then those of the map. */
    List<Index> indexes() {
      List<Index> known = indexes;
      if (known == null) {
        known = new ArrayList<>();
        List<Long> key = keyColumns();
        if (!key.isEmpty()) {
          String name = name() + "_pkey";
          known.add(
              new Index(free(oidOf(name() + "\0key")), name, this, true, false, key, List.of()));
        }
        QueryTable table = found();
        for (TableIndex index : table == null ? List.<TableIndex>of() : table.indexes()) {
          known.add(index(index));
        }
        indexes = known;
        known.forEach(index -> byOid.put(index.oid(), index));
      }
      return known;
    }

    private Index index(TableIndex index) {
      List<Long> places = new ArrayList<>();
      for (String attribute : index.attributes()) {
        places.add(placeOf(attribute));
      }
      return new Index(
          free(oidOf(name() + "\0" + index.name())),
          index.name(),
          this,
          false,
          !index.isSorted(),
          places,
          index.attributes());
    }

    private long placeOf(String attribute) {
      List<Column> all = columns();
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).field().toString().equals(attribute)) {
          return i + 1L;
        }
      }
      return 0;
    }

    /** The numbers of the columns that are the key. */
    List<Long> keyColumns() {
      List<Long> places = new ArrayList<>();
      List<Column> all = columns();
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).field().ofKey()) {
          places.add(i + 1L);
        }
      }
      return places;
    }

    float estimatedRows() {
      QueryTable table = found();
      return table == null ? -1 : table.estimatedRows();
    }

    boolean isWritable() {
      QueryTable table = found();
      return table != null && table.isWritable();
    }

    String description() {
      String value = mapping.options().get("valueFormat");
      return "map "
          + mapping.map()
          + (value == null ? "" : ", values are " + value)
          + (mapping.isInferred() ? "; columns are found in its entries" : "");
    }
  }

  /**
   * An index.
   *
   * @param places the numbers of its columns; 0 for an attribute that is no column
   * @param attributes what is indexed; empty for the key
   */
  record Index(
      long oid,
      String name,
      Table table,
      boolean isKey,
      boolean isHash,
      List<Long> places,
      List<String> attributes) {
    /** Returns the name of a column or attribute, as it is written in a statement. */
    String part(int index) {
      long place = places.get(index);
      return place == 0
          ? "(" + TextFunctions.quotedName(attributes.get(index)) + ")"
          : TextFunctions.quotedName(table.columns().get((int) place - 1).name());
    }

    String parts() {
      StringBuilder parts = new StringBuilder();
      for (int i = 0; i < places.size(); i++) {
        parts.append(i > 0 ? ", " : "").append(part(i));
      }
      return parts.toString();
    }
  }

  /** Returns the tables by name. */
  List<Table> tables() {
    if (!isLoaded) {
      isLoaded = true;
      for (Mapping mapping : catalog.mappings()) {
        Table table = new Table(free(oidOf(mapping.name())), mapping);
        tables.put(mapping.name(), table);
        byOid.put(table.oid(), table);
      }
    }
    return tables.values().stream().sorted(java.util.Comparator.comparing(Table::name)).toList();
  }

  /** Returns a table by its number. */
  @Nullable Table table(long oid) {
    List<Table> _ = tables();
    return byOid.get(oid) instanceof Table table ? table : null;
  }

  /** Returns the tables, or only that of a number. */
  List<Table> tables(@Nullable Object oid) {
    if (oid instanceof Long number) {
      Table table = table(number);
      return table == null ? List.of() : List.of(table);
    }
    return tables();
  }

  private @Nullable Index index(long oid) {
    if (byOid.get(oid) instanceof Index index) {
      return index;
    }
    if (!hasIndexes && table(oid) == null && oid >= FIRST_OID) {
      hasIndexes = true;
      tables().forEach(Table::indexes);
    }
    return byOid.get(oid) instanceof Index index ? index : null;
  }

  static long oidOf(String name) {
    CRC32C hash = new CRC32C();
    hash.update(name.getBytes(StandardCharsets.UTF_8));
    return FIRST_OID + hash.getValue() % (MOST_OID - FIRST_OID);
  }

  /** The number itself, or the next that no other has: two names may have the same number. */
  private long free(long oid) {
    long free = oid;
    while (byOid.containsKey(free)) {
      free = free == MOST_OID ? FIRST_OID : free + 1;
    }
    return free;
  }

  /** Returns the number of a table, an index or a system table; null if there is none. */
  @Nullable Long relationOid(String name) {
    for (Table table : tables()) {
      if (table.name().equals(name)) {
        return table.oid();
      }
    }
    int system = SystemTables.indexOf(name);
    if (system >= 0) {
      return SYSTEM_FIRST_OID + system;
    }
    for (Table table : tables()) {
      for (Index index : table.indexes()) {
        if (index.name().equals(name)) {
          return index.oid();
        }
      }
    }
    return null;
  }

  static long systemOid(int index) {
    return SYSTEM_FIRST_OID + index;
  }

  /** Returns the name of a table or an index as it is written in a statement. */
  String relationName(long oid) {
    Table table = table(oid);
    if (table != null) {
      return TextFunctions.quotedName(table.name());
    }
    String system = SystemTables.nameOf((int) (oid - SYSTEM_FIRST_OID));
    if (system != null) {
      return system;
    }
    Index index = index(oid);
    return index == null ? Long.toString(oid) : TextFunctions.quotedName(index.name());
  }

  static @Nullable Long schemaOid(String name) {
    return switch (name) {
      case PG_CATALOG -> PG_CATALOG_OID;
      case PUBLIC -> PUBLIC_OID;
      case INFORMATION_SCHEMA -> INFORMATION_SCHEMA_OID;
      default -> null;
    };
  }

  String schemaName(long oid) {
    return oid == PG_CATALOG_OID
        ? PG_CATALOG
        : oid == PUBLIC_OID
            ? PUBLIC
            : oid == INFORMATION_SCHEMA_OID ? INFORMATION_SCHEMA : Long.toString(oid);
  }

  @Nullable String indexDefinition(long oid, int column) {
    Index index = index(oid);
    if (index == null) {
      return null;
    }
    if (column > 0) {
      return column > index.places().size() ? null : index.part(column - 1);
    }
    return "CREATE "
        + (index.isKey() ? "UNIQUE " : "")
        + "INDEX "
        + TextFunctions.quotedName(index.name())
        + " ON public."
        + TextFunctions.quotedName(index.table().name())
        + " USING "
        + (index.isHash() ? "hash" : "btree")
        + " ("
        + index.parts()
        + ")";
  }

  @Nullable String constraintDefinition(long oid) {
    Index index = index(oid);
    return index == null || !index.isKey() ? null : "PRIMARY KEY (" + index.parts() + ")";
  }

  @Nullable String description(long oid) {
    Table table = table(oid);
    return table == null ? null : table.description();
  }
}
