package io.keyvalueserve.sql.plan;

import io.keyvalueserve.engine.query.Mapping;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.engine.query.QueryTable;
import io.keyvalueserve.sql.VirtualSchema;
import io.keyvalueserve.sql.VirtualTable;
import java.util.List;
import java.util.Optional;

/**
 * Finds the tables that names stand for: {@code t}, {@code public.t}, {@code hazelcast.public.t},
 * {@code partitioned.t}, {@code owner.t}, {@code "owner/t"}, and those of virtual schemas.
 */
public final class TableNames {
  private static final String PUBLIC = "public";

  private final QueryCatalog catalog;
  private final String tenant;
  private final List<VirtualSchema> schemas;

  /**
   * @param tenant the name of the one who asks: a schema of its name is its own
   */
  public TableNames(QueryCatalog catalog, String tenant, List<VirtualSchema> schemas) {
    this.catalog = catalog;
    this.tenant = tenant;
    this.schemas = List.copyOf(schemas);
  }

  /** Finds a map's table. */
  public Optional<QueryTable> find(List<String> names) {
    List<String> rest = names;
    if (rest.size() > 2 && (isNamed(rest, "hazelcast") || isNamed(rest, tenant))) {
      rest = rest.subList(1, rest.size());
    }
    if (rest.size() == 1) {
      return findOwn(rest.getFirst());
    }
    if (rest.size() != 2) {
      return Optional.empty();
    }
    if (isNamed(rest, PUBLIC) || isNamed(rest, "partitioned") || isNamed(rest, tenant)) {
      Optional<QueryTable> found = findOwn(rest.get(1));
      if (found.isPresent()) {
        return found;
      }
    }
    return findOwn(rest.getFirst() + "/" + rest.get(1));
  }

  private static boolean isNamed(List<String> names, String schema) {
    return names.getFirst().equalsIgnoreCase(schema);
  }

  private Optional<QueryTable> findOwn(String name) {
    Optional<QueryTable> exact = catalog.find(name);
    if (exact.isPresent()) {
      return exact;
    }
    for (Mapping mapping : catalog.mappings()) {
      if (mapping.name().equalsIgnoreCase(name)) {
        return catalog.find(mapping.name());
      }
    }
    return Optional.empty();
  }

  /** Finds a virtual table. */
  Optional<VirtualTable> findVirtual(List<String> names) {
    List<String> rest = names.size() > 2 ? names.subList(names.size() - 2, names.size()) : names;
    for (VirtualSchema schema : schemas) {
      boolean isMeant = rest.size() == 2 ? isNamed(rest, schema.name()) : schema.isSearched();
      if (isMeant) {
        for (VirtualTable table : schema.tables()) {
          if (table.name().equalsIgnoreCase(rest.getLast())) {
            return Optional.of(table);
          }
        }
      }
    }
    return Optional.empty();
  }
}
