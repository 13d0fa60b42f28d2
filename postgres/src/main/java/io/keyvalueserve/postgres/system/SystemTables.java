package io.keyvalueserve.postgres.system;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of the system catalogues, by name. */
final class SystemTables {
  private static final List<SystemTable> ALL = new ArrayList<>();
  private static final Map<String, SystemTable> BY_NAME = new HashMap<>();

  static {
    RelationTables.addTo(ALL);
    TypeTables.addTo(ALL);
    ServerTables.addTo(ALL);
    EmptyTables.addTo(ALL);
    InformationSchema.addTo(ALL);
    ALL.forEach(table -> BY_NAME.put(table.schema() + "." + table.name(), table));
  }

  private SystemTables() {}

  /** Returns a table; without a schema, it is looked up in {@code pg_catalog}. */
  static @Nullable SystemTable find(@Nullable String schema, String name) {
    return BY_NAME.get((schema == null ? Snapshot.PG_CATALOG : schema) + "." + name);
  }

  static List<SystemTable> all() {
    return ALL;
  }

  /** Returns whether a number is that of a table whose schema is not searched. */
  static boolean isOfInformationSchema(long oid) {
    long index = oid - Snapshot.systemOid(0);
    return index >= 0
        && index < ALL.size()
        && ALL.get((int) index).schema().equals(Snapshot.INFORMATION_SCHEMA);
  }

  static int indexOf(String name) {
    for (int i = 0; i < ALL.size(); i++) {
      if (ALL.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  static @Nullable String nameOf(int index) {
    return index < 0 || index >= ALL.size() ? null : ALL.get(index).name();
  }
}
